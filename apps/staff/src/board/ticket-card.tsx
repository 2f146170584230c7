import type { ComponentType } from 'preact';
import { Icon } from '@comanda/ui/icon.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatTime } from '@comanda/ui/format.ts';
import { messages } from '../messages.ts';
import type { BoardSession } from './board-session.ts';
import type { BoardCard } from './card.ts';
import { cancellationText, changesText } from './card-texts.ts';
import { optionLines } from './option-lines.ts';
import type { BackProps } from './ticket-back.tsx';
import './ticket-card.css';
import { GoesOn, Scrolled, TicketFoot } from './ticket-foot.tsx';
import { TicketHead, useHeadState } from './ticket-head.tsx';
import { longClass, TicketItem } from './ticket-items.tsx';

export type CardProps = {
  session: BoardSession;
  card: BoardCard;
  from: number;
  to: number;
  /** True if the card is higher than its slot, so it scrolls. */
  isCut: boolean;
  /**
   * The card's position from 1 to 10, which is also the key that selects it; null for later cards, and for a ticket's
   * continuation in the next column.
   */
  position: number | null;
  isChosen: boolean;
  /** True if the back of the ticket is shown, with actions such as printing and cancelling. */
  isTurned: boolean;
  onTurn: (id: number | null) => void;
  /** The component for the ticket's back; null until its script is loaded. */
  Back: ComponentType<BackProps> | null;
};

/** One ticket, or the part of it that this column shows. */
export function TicketCard(props: CardProps) {
  const { session, card, from, to, isCut, isChosen, onTurn, Back } = props;
  const isTurned = props.isTurned && Back !== null;
  const words = messages().ticket;
  const { ticket, look, changes } = card;
  const state = useHeadState(session, card);
  const isLast = to === ticket.items.length;
  const isNew = look === 'new' && session.untouched.value.has(ticket.id);
  const isStill = look === 'cancelled' || look === 'kept';
  // A single dish without options and remarks leaves room for the Bump button beside it.
  const [only] = ticket.items.length === 1 ? ticket.items : [];
  const isShort = only?.remarks.trim() === '' && optionLines(only, ticket).length === 0;
  const isOneDish = isShort && !isTurned && !isStill && !isCut && card.waiting === null;
  return (
    <article
      class={classNames(
        'edge column ticket sheet',
        `ticket-${state}`,
        isOneDish && 'ticket-one-dish',
        isChosen && 'ticket-chosen',
        isNew && 'ticket-flash',
      )}
      aria-label={
        ticket.remake === null
          ? words.label(ticket.table, ticket.number)
          : words.remakeLabel(words.label(ticket.table, ticket.number))
      }
      aria-current={isChosen ? 'true' : undefined}
    >
      <TicketHead {...props} state={state} />
      {from === 0 && ticket.remake !== null && (
        <p class="row ticket-remake">
          <strong>{words.remake}</strong> <bdi>{ticket.remake}</bdi>
        </p>
      )}
      {from === 0 && ticket.allergies !== null && look !== 'kept' && <Allergies {...{ session, card }} />}
      {from > 0 && ticket.allergies !== null && look !== 'kept' && <AllergiesAgain text={ticket.allergies} />}
      {Back && isTurned && from === 0 ? (
        <Back {...{ session, card }} onClose={() => onTurn(null)} />
      ) : (
        <>
          {from === 0 && look === 'cancelled' && cancellationText(card) !== '' && (
            <p class="row gap-3 ticket-reason">{cancellationText(card)}</p>
          )}
          {from === 0 && changes.length > 0 && !isStill && (
            <button type="button" class="row ticket-changes" onClick={() => session.board.readChanges(ticket.id)}>
              <strong>{words.changed}</strong>
              <span>{changesText(words, changes)}</span>
            </button>
          )}
          <ul class="ticket-items">
            {ticket.items.slice(from, to).map((item) => (
              <TicketItem key={item.id} {...{ session, ticket, item, isStill }} />
            ))}
          </ul>
          {isCut && <Scrolled />}
          {isLast ? <TicketFoot {...{ session, card, isChosen }} /> : <GoesOn />}
        </>
      )}
    </article>
  );
}

/** A one-line reminder of the allergies, above a ticket's continuation. The full text is in the previous column. */
export const AllergiesAgain = ({ text }: { text: string }) => (
  <p class="edge row gap-2 ticket-allergies-again">
    <Icon name="warning" size={22} />
    <strong>{messages().ticket.allergy}</strong> <span>{text}</span>
  </p>
);

type PartProps = { session: BoardSession; card: BoardCard };
function Allergies({ session, card }: PartProps) {
  const words = messages().ticket;
  const { ticket, allergiesReadAtMs: readAt, isAsking } = card;
  const hint = isAsking ? words.allergyAsk : words.allergyTap;
  return (
    <button
      type="button"
      class={classNames(
        'row gap-3 ticket-allergies',
        readAt !== null && 'ticket-allergies-read',
        readAt === null && isAsking && 'ticket-allergies-asking',
      )}
      onClick={() => session.board.readAllergies(ticket.id)}
    >
      <Icon name="warning" size={34} />
      <span>
        <small>
          {words.allergy}
          <em>{readAt === null ? hint : words.allergyRead(formatTime(readAt))}</em>
        </small>
        <strong class={longClass(ticket.allergies)}>{ticket.allergies}</strong>
      </span>
    </button>
  );
}
