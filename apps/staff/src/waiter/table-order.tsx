import type { LiveOrder } from '@comanda/client/core';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { guestName } from '@comanda/ui/guest-name.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { measureText } from '@comanda/ui/measure-text.ts';
import { optionText } from '@comanda/ui/options/option-text.ts';
import type { OrderItem } from '../bumps/ticket.ts';
import { Allergies } from './allergies.tsx';
import { lineMessages } from './line-messages.ts';
import { waiterMessages } from './messages.ts';
import './table-order.css';

type TableOrderProps = {
  order: LiveOrder;
  onMove: () => void;
  /** Shows what can be done with a dish. */
  onOpen: (item: OrderItem) => void;
};

/** Shows an order on its table's page. */
export function TableOrder({ order, onMove, onOpen }: TableOrderProps) {
  const words = waiterMessages().tables;
  return (
    <article class="waiter-panel waiter-order" aria-label={words.order(order.ticket)}>
      <header>
        <div>
          <h2>{words.order(order.ticket)}</h2>
          <p>{words.byGuest(guestName(order.placed_by.name), formatTime(order.created_at))}</p>
        </div>
        <Button size="small" aria-label={words.moveLabel(order.ticket)} onClick={onMove}>
          {words.move}
        </Button>
      </header>
      <Allergies orders={[order]} />
      <ul>
        {order.items.map((item) => (
          <li key={item.id}>
            <Item item={item} currency={order.currency} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      <p class="waiter-order-total">{formatMoney(order.total, order.currency)}</p>
    </article>
  );
}

/** A dish. A tap shows what can be done with it, unless it is cancelled. */
function Item({ item, currency, onOpen }: { item: OrderItem; currency: string } & Pick<TableOrderProps, 'onOpen'>) {
  const { quantity, name, remarks, options, status, remake, part_of: combo } = item;
  const weight = measureText(item, currency);
  const text = (
    <>
      <b>{quantity}</b>
      <span>
        <bdi>{name}</bdi>
        {weight !== null && <small>{weight}</small>}
        {options?.map((each) => (
          <small key={each.id}>{optionText(each, quantity)}</small>
        ))}
        {remarks !== '' && <mark>{remarks}</mark>}
        {remake && <mark class="waiter-item-remake">{lineMessages().remake.mark(remake.reason)}</mark>}
      </span>
      <em>{waiterMessages().tables.status[status]}</em>
    </>
  );
  const className = classNames('waiter-item', `waiter-item-${status}`, typeof combo === 'number' && 'waiter-item-part');
  if (status === 'cancelled') return <div class={className}>{text}</div>;
  return (
    <button type="button" class={className} aria-haspopup="dialog" onClick={() => onOpen(item)}>
      <span class="visually-hidden">{lineMessages().change}</span>
      {text}
      <Icon name="chevron" size={20} />
    </button>
  );
}
