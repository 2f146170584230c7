import { useLayoutEffect, useState } from 'preact/hooks';
import type { LiveOrder } from '@comanda/client/core';
import { turnsSound } from '@comanda/ui/audio.ts';
import { AskDialog } from '@comanda/ui/ask.tsx';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { EmptyPlateDrawing } from '@comanda/ui/empty-plate-drawing.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { guestName } from '@comanda/ui/guest-name.ts';
import { Icon, type IconName } from '@comanda/ui/icon.tsx';
import { measureText } from '@comanda/ui/measure-text.ts';
import { OptionLines } from '@comanda/ui/options/option-lines.tsx';
import { Money } from '@comanda/ui/money.tsx';
import { useGuest, useOrderSession, useRouter } from '../contexts.ts';
import { BillLink } from './bill-link.tsx';
import { BackLink } from '../back-link.tsx';
import { CallButton } from '../call/call-button.tsx';
import { EmptyState } from '../empty-state.tsx';
import type { InGuestLanguage } from '../in-guest-language.ts';
import { Notice } from '../notice.tsx';
import { SeatNotice } from '../seat/seat-notice.tsx';
import { NotLiveNotice } from '../not-live-notice.tsx';
import './orders-page.css';
import { EndedOrders, OutgoingOrder } from './unsent-orders.tsx';
import { byProgress } from './orders.ts';
import { orderMessages } from './messages.ts';

type Item = InGuestLanguage<LiveOrder['items'][number]>;
const icons: Readonly<Record<Item['status'], IconName>> = {
  received: 'receipt',
  preparing: 'flame',
  ready: 'waiter',
  delivered: 'check',
  cancelled: 'close',
};
/** How many of the progress bar's four segments are filled for each status. */
const steps: Readonly<Record<Item['status'], number>> = {
  received: 1,
  preparing: 2,
  ready: 3,
  delivered: 4,
  cancelled: 0,
};

/** Says what is special about an item: its weight, its combo, or what staff have done with it. */
function ItemFacts({ item, order }: { item: Item; order: LiveOrder }) {
  const words = orderMessages();
  const { options, part_of: comboId = null, remake, split_from: from } = item;
  const combo: Item | undefined = order.items.find(({ id }) => id === comboId);
  const weight = measureText(item, order.currency);
  const facts = [
    combo && words.partOf(combo.name),
    remake && words.remade,
    typeof from === 'number' && item.status === 'cancelled' && words.takenOff,
  ];
  return (
    <>
      {weight !== null && <p class="dim order-hint">{weight}</p>}
      <OptionLines options={options} dishes={item.quantity} />
      {facts.filter(Boolean).map((fact) => (
        <p key={fact} class="dim order-hint">
          {fact}
        </p>
      ))}
    </>
  );
}

function ProgressItem({ item, order }: { item: Item; order: LiveOrder }) {
  const dish = useGuest().menu.dishById.value.get(item.item_id);
  return (
    <li class={classNames('wrap progress', `progress-${item.status}`)}>
      <div class="progress-image">
        <DishPicture url={dish?.image_url ?? null} tile={(dish?.position ?? 0) + 1} />
      </div>
      <div class="stack progress-text">
        <p class="progress-name">
          {item.quantity}×&nbsp;<bdi lang={item.lang}>{item.name}</bdi>
        </p>
        <ItemFacts item={item} order={order} />
        <p class="row gap-2 progress-status">
          <Icon name={icons[item.status]} />
          {orderMessages().statuses[item.status]}
        </p>
        {item.remarks !== '' && <p class="remark">{item.remarks}</p>}
        <div class="progress-bar" aria-hidden="true">
          {[1, 2, 3, 4].map((step) => (
            <span key={step} class={step <= steps[item.status] ? 'is-done' : ''} />
          ))}
        </div>
      </div>
    </li>
  );
}

function SeenLine({ order }: { order: LiveOrder }) {
  const words = orderMessages();
  const isSeen = order.seen_at !== null;
  // The kitchen has started the order without a screen, so it isn't known when it was seen.
  const isOver = order.status === 'cancelled' || order.status === 'delivered';
  if (isOver || (order.status !== 'received' && !isSeen)) return null;
  return (
    <p class={classNames('edge row wrap seen', isSeen && 'seen-yes')}>
      <Icon name={isSeen ? 'kitchenScreen' : 'clock'} />
      <span>
        {order.seen_at === null ? words.sentAt(formatTime(order.created_at)) : words.seenAt(formatTime(order.seen_at))}
      </span>
    </p>
  );
}

function CancelPart({ order }: { order: LiveOrder }) {
  const words = orderMessages();
  const { seat } = useGuest();
  const { cancel } = useOrderSession().orders;
  const [isAsking, setIsAsking] = useState(false);
  // The server lets only the user who placed an order cancel it, even if that guest has signed in as a customer since.
  const isOwner = order.placed_by.id === seat.who.value?.userId;
  if (!isOwner || order.status === 'cancelled' || order.status === 'delivered') return null;
  if (!order.allowed_transitions.includes('cancelled')) return <p class="dim order-hint">{words.cancelTooLate}</p>;
  return (
    <>
      {order.items.length > 1 && <p class="dim order-hint">{words.cancelOne}</p>}
      <Button kind="quiet" size="small" icon={<Icon name="close" size={20} />} onClick={() => setIsAsking(true)}>
        {words.cancelOrder(order.ticket)}
      </Button>
      <AskDialog
        isOpen={isAsking}
        question={words.cancelTitle(order.ticket)}
        yes={words.cancelYes}
        no={words.cancelNo}
        kind="danger"
        onYes={() => cancel(order)}
        onClose={() => setIsAsking(false)}
      >
        <p>{words.cancelText}</p>
      </AskDialog>
    </>
  );
}

function OrderCard({ order }: { order: LiveOrder }) {
  const words = orderMessages();
  const { isOwn, isOfWholeTable } = useOrderSession().orders;
  const id = `order-${order.id}`;
  const isOver = order.status === 'delivered' || order.status === 'cancelled';
  return (
    <article class={classNames('card stack gap-3 order', isOver && 'order-over')} aria-labelledby={id}>
      <div class="wrap order-head">
        <h2 id={id} tabIndex={-1}>
          {words.order(order.ticket)}
        </h2>
        <Money as="p">{formatMoney(order.total, order.currency)}</Money>
        <p>
          {formatTime(order.created_at)}{' '}
          {isOwn(order) ? words.byYou : isOfWholeTable.value ? '' : words.by(guestName(order.placed_by.name))}
        </p>
      </div>
      {(order.split_from ?? null) !== null && <p class="dim order-hint">{words.movedHere}</p>}
      <SeenLine order={order} />
      {order.allergies && order.status !== 'cancelled' && <p class="remark">{words.allergiesSent(order.allergies)}</p>}
      <ul class="order-items">
        {byProgress(order.items).map((item) => (
          <ProgressItem key={item.id} item={item} order={order} />
        ))}
      </ul>
      <CancelPart order={order} />
    </article>
  );
}

/** Warns that a price changed while the order was being sent. */
function PriceNotice() {
  const { orders, sending } = useOrderSession();
  const sent = sending.lastSent.value;
  const order = sent && orders.all.value.find(({ id }) => id === sent.id);
  const total = sent?.changedTotal;
  if (!order || order.status === 'cancelled' || typeof total !== 'string') return null;
  return (
    <Notice kind="warning" icon="warning" title={orderMessages().totalDiffers(formatMoney(total, order.currency))} />
  );
}

function OrdersHead() {
  const words = orderMessages();
  const { isOn, toggle } = useOrderSession().sound;
  return (
    <header class="page-head orders-head">
      <BackLink />
      <CallButton />
      <IconButton label={words.sound} {...turnsSound} aria-pressed={isOn.value} onClick={() => void toggle()}>
        <Icon name={isOn.value ? 'soundOn' : 'soundOff'} />
      </IconButton>
    </header>
  );
}

/** The bill's total, with the service charge. Until the bill has all these orders, it is their sum without the charge. */
function OrdersTotal() {
  const words = orderMessages();
  const { bills, menu } = useGuest();
  const { orders } = useOrderSession();
  const bill = bills.value?.current.value;
  const show = (amount: string): string => formatMoney(amount, menu.currency.value);
  const isOnBill = bill?.status === 'open' && bill.items_total === orders.total.value;
  const hasService = bill?.status === 'open' && bill.service_charge.amount !== '0.00';
  return (
    <p class="wrap orders-total">
      <span>{orders.isOfWholeTable.value ? words.tableTotal : words.yourTotal}</span>{' '}
      <Money>{show(isOnBill ? bill.total : orders.total.value)}</Money>{' '}
      {hasService && (
        <small>{isOnBill ? words.withService(show(bill.service_charge.amount)) : words.withoutService}</small>
      )}
    </p>
  );
}

/** Says that there are no orders. If some may be missing, shows nothing, because the notice above explains that. */
function NoOrders() {
  const words = orderMessages();
  const { isComplete, isMissing } = useOrderSession().orders;
  if (isMissing.value) return null;
  if (!isComplete.value) return <EmptyState title={words.notRead} />;
  return <EmptyState drawing={<EmptyPlateDrawing />} title={words.noOrders} hint={words.noOrdersHint} />;
}

/** Lists the table's orders with their progress, and their sum. */
export function OrdersPage() {
  const words = orderMessages();
  const { seat } = useGuest();
  const { orders, sending } = useOrderSession();
  const { backToMenu, backToMenuTop } = useRouter();
  const all = orders.all.value;
  const isOfWholeTable = orders.isOfWholeTable.value;
  const isAtTable = seat.table.value !== null;
  const place = seat.table.value ?? orders.closedBill.value?.table;
  const mayOrderMore = isAtTable && all.length > 0;
  const sentId = sending.lastSent.value?.id;
  // The focus was on the unsent order's card. That card has disappeared, so the sent order gets the focus.
  useLayoutEffect(() => {
    if (document.activeElement === document.body)
      document.getElementById(`order-${sentId}`)?.focus({ preventScroll: true });
  }, [sentId]);
  return (
    <div class="page">
      <OrdersHead />
      <main class="stack gap-4 page-main orders">
        <div class="page-title orders-title">
          <p>{isOfWholeTable ? words.tableOrders : words.yourOrders}</p>
          <h1 tabIndex={-1}>{place === undefined ? words.orders : words.table(place)}</h1>
        </div>
        {(isAtTable || !sending.isRefused.value) && <SeatNotice />}
        <OutgoingOrder />
        <EndedOrders />
        {isAtTable && <NotLiveNotice />}
        <PriceNotice />
        {all.length === 0 && isAtTable && !sending.outgoing.value && <NoOrders />}
        {all.map((order) => (
          <OrderCard key={order.id} order={order} />
        ))}
        {all.length > 0 && !orders.isMissing.value && <OrdersTotal />}
      </main>
      <footer class="dock orders-dock">
        <BillLink />
        <Button icon={mayOrderMore && <Icon name="plus" />} onClick={mayOrderMore ? backToMenuTop : backToMenu}>
          {mayOrderMore ? words.orderMore : words.toMenu}
        </Button>
      </footer>
    </div>
  );
}
