import { useMemo } from 'preact/hooks';
import { Icon } from '@comanda/ui/icon.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { messages } from '../messages.ts';
import type { BoardSession } from './board-session.ts';
import type { BoardCard } from './card.ts';
import type { Card } from './layout.ts';
import './slots.css';
import { tableName } from './table-name.ts';
import { TicketCard, type CardProps } from './ticket-card.tsx';
import type { Layout } from './use-layout.ts';

type Props = {
  session: BoardSession;
  layout: Layout;
  chosenId: number | null;
  turnedId: number | null;
  onTurn: (id: number | null) => void;
  Back: CardProps['Back'];
};

/** Shows the page's cards at their positions. */
export function Slots({ session, layout, chosenId, turnedId, onTurn, Back }: Props) {
  const { page, ids, isScrolled, columnWidth, columnHeight, gap } = layout;
  /**
   * Returns a card's position. The back of a ticket may be higher than its front; it then covers other cards, but stays within
   * the page.
   */
  function placeOf({ column, top, height }: Pick<Card<BoardCard>, 'column' | 'top' | 'height'>, isTurned: boolean) {
    const left = `${column * (columnWidth + gap)}px`;
    if (!isTurned) return { left, top: `${top}px`, height: `${height}px` };
    const below = columnHeight - top - height;
    return top <= below
      ? { left, top: `${top}px`, minHeight: `${height}px`, maxHeight: `${columnHeight - top}px` }
      : { left, bottom: `${below}px`, minHeight: `${height}px`, maxHeight: `${top + height}px` };
  }
  const cards = new Map(session.board.cards.value.map((card) => [card.ticket.id, card]));
  return (
    <div class="board-columns">
      {page.map(({ ticket: { ticket }, from, to, column, top, height, isCut }) => (
        <div
          key={`${ticket.id}.${from}`}
          class={classNames('board-slot', ticket.id === turnedId && from === 0 && 'board-slot-turned')}
          data-slot={`${ticket.id}.${from}`}
          data-order={ticket.id}
          style={isScrolled ? {} : placeOf({ column, top, height }, ticket.id === turnedId && from === 0)}
        >
          <Slot
            {...{ session, from, to, isCut, ticket, onTurn, Back }}
            card={cards.get(ticket.id)}
            position={from > 0 || ids.indexOf(ticket.id) > 9 ? null : ids.indexOf(ticket.id) + 1}
            isChosen={ticket.id === chosenId}
            isTurned={ticket.id === turnedId}
          />
        </div>
      ))}
    </div>
  );
}

type SlotProps = Omit<CardProps, 'card'> & {
  /** The ticket at the time of the layout. */
  ticket: BoardCard['ticket'];
  /** The ticket's current card; undefined if the ticket has left the board. */
  card: BoardCard | undefined;
};
/** Shows a card, or briefly the gap where it was. It is rendered again only if the card has changed. */
function Slot({ session, ticket, card, from, to, isCut, position, isChosen, isTurned, onTurn, Back }: SlotProps) {
  // Until the next layout, a ticket with more dishes than before shows all of them.
  const end = card && to === ticket.items.length ? card.ticket.items.length : to;
  return useMemo(
    () =>
      card ? (
        <TicketCard to={end} {...{ session, card, from, isCut, position, isChosen, isTurned, onTurn, Back }} />
      ) : (
        <Gap table={ticket.table} />
      ),
    [session, ticket, card, from, end, isCut, position, isChosen, isTurned, onTurn, Back],
  );
}
const Gap = ({ table }: { table: string | null }) => (
  <div class="board-gap">
    <Icon name="check" size={40} />
    {messages().board.gone(tableName(table))}
  </div>
);
