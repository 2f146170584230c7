import { wasDelivered, type LiveOrder } from '@comanda/client/core';
import type { ComponentChildren } from 'preact';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { guestName } from '@comanda/ui/guest-name.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import type { OrderItem } from '../bumps/ticket.ts';
import { Allergies } from './allergies.tsx';
import { waiterMessages } from './messages.ts';
import './table-order.css';

type TableOrderProps = {
  order: LiveOrder;
  /** True for managers. Only they can cancel dishes that were once delivered. */
  isManager: boolean;
  /** True while the page asks to which table the order moves. */
  isMoving: boolean;
  onMove: () => void;
  onTakeOff: (item: OrderItem) => void;
  children: ComponentChildren;
};

/** Shows an order on its table's page. */
export function TableOrder({ order, isManager, isMoving, onMove, onTakeOff, children }: TableOrderProps) {
  const words = waiterMessages().tables;
  return (
    <article class="waiter-panel waiter-order" aria-label={words.order(order.ticket)}>
      <header>
        <div>
          <h2>{words.order(order.ticket)}</h2>
          <p>{words.byGuest(guestName(order.placed_by.name), formatTime(order.created_at))}</p>
        </div>
        <Button size="small" aria-label={words.moveLabel(order.ticket)} aria-expanded={isMoving} onClick={onMove}>
          {words.move}
        </Button>
      </header>
      <Allergies orders={[order]} />
      {children}
      <ul>
        {order.items.map((item) => (
          <Item key={item.id} {...{ item, isManager, onTakeOff }} />
        ))}
      </ul>
      <p class="waiter-order-total">{formatMoney(order.total, order.currency)}</p>
    </article>
  );
}

type ItemProps = { item: OrderItem } & Pick<TableOrderProps, 'isManager' | 'onTakeOff'>;

function Item({ item, isManager, onTakeOff }: ItemProps) {
  const words = waiterMessages().tables;
  const { quantity, name, remarks, status } = item;
  const mayTakeOff = status !== 'cancelled' && (isManager || !wasDelivered(item));
  return (
    <li class={`waiter-item waiter-item-${status}`}>
      <b>{quantity}</b>
      <span>
        <bdi>{name}</bdi>
        {remarks !== '' && <mark>{remarks}</mark>}
      </span>
      <em>{words.status[status]}</em>
      {mayTakeOff && (
        <IconButton label={words.takeOff(name)} onClick={() => onTakeOff(item)}>
          <Icon name="close" />
        </IconButton>
      )}
    </li>
  );
}
