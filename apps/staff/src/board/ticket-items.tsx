import { Icon } from '@comanda/ui/icon.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { kitchenName, type OrderItem, type Ticket } from '../bumps/ticket.ts';
import { messages } from '../messages.ts';
import { stationName } from '../shift/station-name.ts';
import type { BoardSession } from './board-session.ts';
import { optionLines, type OptionLine } from './option-lines.ts';
import './ticket-items.css';

/** Returns the class that makes text of more than 80 characters smaller; empty for shorter text. */
export const longClass = (text: string | null): string => (text && text.length > 80 ? 'ticket-long' : '');

type ItemProps = { session: BoardSession; ticket: Ticket; item: OrderItem; isStill: boolean };
/** One dish on a ticket. A tap moves it to its next status. */
export function TicketItem({ session, ticket, item, isStill }: ItemProps) {
  const words = messages().ticket;
  const lines = optionLines(item, ticket);
  const remarks = item.remarks.trim();
  const isPart = ticket.items.some(({ id }) => id === item.part_of);
  const isOff = item.status === 'cancelled';
  const isDone = item.status === 'ready' || item.status === 'delivered';
  return (
    <li class={classNames('row wrap ticket-item', `ticket-item-${item.status}`, isPart && 'ticket-item-part')}>
      <span class="centre ticket-gutter">
        {item.status === 'preparing' && <Icon name="flame" size={20} />}
        {isDone && <Icon name="check" size={20} />}
      </span>
      <button
        type="button"
        disabled={isOff || isStill || item.status === 'delivered'}
        aria-label={words.item(item.quantity, kitchenName(item), words.status[item.status])}
        aria-description={[...lines.map(({ text }) => text), remarks].filter(Boolean).join('; ') || undefined}
        onClick={() => session.board.bumpItem(ticket.id, item.id)}
      >
        <span class={classNames('centre ticket-quantity', item.quantity > 1 && 'edge on-ink ticket-quantity-many')}>
          {item.quantity}
        </span>{' '}
        <span class="ticket-dish">{kitchenName(item)}</span>
      </button>
      {/* These are beside the button, because they aren't part of the button's name. */}
      {lines.length > 0 && <Options lines={lines} />}
      {remarks !== '' && <mark class={longClass(item.remarks)}>{item.remarks}</mark>}
      {isOff && !isStill && <strong class="ticket-off">{words.off}</strong>}
    </li>
  );
}

/** The options of a dish, one a line. Those of another option are indented; what other stations make is grey. */
const Options = ({ lines }: { lines: readonly OptionLine[] }) => (
  <ul class="ticket-options">
    {lines.map(({ key, depth, text, station }) => (
      <li
        key={key}
        class={station === undefined ? undefined : 'ticket-option-elsewhere'}
        style={{ '--depth': String(depth) }}
      >
        {text}
        {station !== undefined && <small> {stationName(station)}</small>}
      </li>
    ))}
  </ul>
);
