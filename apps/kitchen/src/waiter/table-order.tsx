import type { LiveOrder } from '@comanda/client';
import type { ComponentChildren } from 'preact';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { Allergies } from './allergies.tsx';
import { waiterMessages } from './messages.ts';
import './table-order.css';

type TableOrderProps = {
  order: LiveOrder;
  /** Whether the waiter is asked to which table it moves. */
  isMoving: boolean;
  onMove: () => void;
  children: ComponentChildren;
};

/** An order on the page of its table. */
export function TableOrder({ order, isMoving, onMove, children }: TableOrderProps) {
  const words = waiterMessages().tables;
  return (
    <article class="waiter-panel waiter-order" aria-label={words.order(order.ticket)}>
      <header>
        <div>
          <h2>{words.order(order.ticket)}</h2>
          <p>{words.byGuest(order.placed_by.name, formatTime(order.created_at))}</p>
        </div>
        <Button size="small" aria-label={words.moveLabel(order.ticket)} aria-expanded={isMoving} onClick={onMove}>
          {words.move}
        </Button>
      </header>
      <Allergies orders={[order]} />
      {children}
      <ul>
        {order.items.map(({ id, quantity, name: dish, remarks, status }) => (
          <li key={id} class={`waiter-item waiter-item-${status}`}>
            <b>{quantity}</b>
            <span>
              {dish}
              {remarks !== '' && <mark>{remarks}</mark>}
            </span>
            <em>{words.status[status]}</em>
          </li>
        ))}
      </ul>
      <p class="waiter-order-total">{formatMoney(order.total, order.currency)}</p>
    </article>
  );
}
