import { Icon } from '@comanda/ui/icon.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import type { OrderItem } from '../bumps/ticket.ts';
import { messages } from '../messages.ts';
import type { BoardSession } from './board-session.ts';
import './ticket-items.css';

/** Returns the class that makes text of more than 80 characters smaller; empty for shorter text. */
export const longClass = (text: string | null): string => (text && text.length > 80 ? 'ticket-long' : '');

type ItemProps = { session: BoardSession; orderId: number; item: OrderItem; isStill: boolean };
/** One dish on a ticket. A tap moves it to its next status. */
export function TicketItem({ session, orderId, item, isStill }: ItemProps) {
  const words = messages().ticket;
  const isOff = item.status === 'cancelled';
  const isDone = item.status === 'ready' || item.status === 'delivered';
  return (
    <li class={classNames('ticket-item', `ticket-item-${item.status}`)}>
      <span class="ticket-gutter">
        {item.status === 'preparing' && <Icon name="flame" size={20} />}
        {isDone && <Icon name="check" size={20} />}
      </span>
      <button
        type="button"
        disabled={isOff || isStill || item.status === 'delivered'}
        aria-label={words.item(item.quantity, item.name, words.status[item.status])}
        aria-description={item.remarks === '' ? undefined : item.remarks}
        onClick={() => session.board.bumpItem(orderId, item.id)}
      >
        <span class={classNames('ticket-quantity', item.quantity > 1 && 'ticket-quantity-many')}>{item.quantity}</span>{' '}
        <span class="ticket-dish">{item.name}</span>
      </button>
      {/* The remark is beside the button, because it isn't part of the button's name. */}
      {item.remarks.trim() !== '' && <mark class={longClass(item.remarks)}>{item.remarks}</mark>}
      {isOff && !isStill && <strong class="ticket-off">{words.off}</strong>}
    </li>
  );
}
