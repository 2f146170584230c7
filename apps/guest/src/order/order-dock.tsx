import { classNames } from '@comanda/ui/class-names.ts';
import type { ComponentChildren } from 'preact';
import { BillLink } from '../bill/bill-link.tsx';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';
import { PausedNotice } from '../menu/paused-notice.tsx';
import { SeatNotice } from '../seat/seat-notice.tsx';
import { BasketButton } from './basket-button.tsx';
import { OrderSlip } from './order-slip.tsx';
import { ProgressLink } from './progress-link.tsx';
import './order-dock.css';

type OrderingNoticesProps = {
  /** Loaded after the menu. */ pages: { NotLiveNotice: () => ComponentChildren } | null;
};
/** On the menu: why one cannot order now, and what became of earlier orders. */
export function OrderingNotices({ pages }: OrderingNoticesProps) {
  const { scanTrouble, table } = useGuest().seat;
  const { NotLiveNotice } = pages ?? {};
  return (
    <>
      {scanTrouble.value !== 'ended' && <SeatNotice />}
      <PausedNotice />
      {NotLiveNotice && table.value !== null && <NotLiveNotice />}
    </>
  );
}

/** On the menu: what is chosen, and the ways to the review and to the orders. */
export function OrderDock() {
  const { seat, basket, orders, sending } = useGuest();
  const hasBasket = seat.table.value !== null && basket.count.value > 0;
  const hasOrders = orders.all.value.length > 0 || sending.outgoing.value !== null || sending.ended.value.length > 0;
  const hasEnded = seat.scanTrouble.value === 'ended';
  if (!hasBasket && !hasOrders && !hasEnded) return null;
  return (
    <div class="menu-basket">
      {hasEnded && <SeatNotice />}
      {hasBasket && (
        <div class="slip-box menu-slip">
          <OrderSlip lines={basket.lines.value} sum={basket.sum.value} />
        </div>
      )}
      <nav aria-label={messages().ways} class={classNames('menu-ways', hasBasket && hasOrders && 'menu-ways-both')}>
        <ProgressLink />
        {!hasBasket && <BillLink />}
        {hasBasket && <BasketButton />}
      </nav>
    </div>
  );
}
