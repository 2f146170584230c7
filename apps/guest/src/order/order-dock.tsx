import { classNames } from '@comanda/ui/class-names.ts';
import type { ComponentChildren } from 'preact';
import { BillLink } from '../bill/bill-link.tsx';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';
import { PausedNotice } from '../menu/paused-notice.tsx';
import { SeatNotice } from '../seat/seat-notice.tsx';
import { BasketButton } from './basket-button.tsx';
import type { OrderSlip } from './order-slip.tsx';
import { ProgressLink } from './progress-link.tsx';
import './order-dock.css';

type OrderingNoticesProps = {
  /** Null until it is loaded, after the menu. */ pages: { NotLiveNotice: () => ComponentChildren } | null;
};
/** Notices on the menu page: why the guest can't order now, and whether orders may be outdated. */
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

/** The bar at the bottom of the menu page: the selected dishes, and the links to the review, the orders and the bill. */
export function OrderDock({
  pages,
}: {
  /** Null until it is loaded. */ pages: { OrderSlip: typeof OrderSlip } | null;
}) {
  const { seat, basket, orders, sending } = useGuest();
  const hasBasket = seat.table.value !== null && basket.count.value > 0;
  const hasOrders = orders.all.value.length > 0 || sending.outgoing.value !== null || sending.ended.value.length > 0;
  const hasEnded = seat.scanTrouble.value === 'ended';
  if (!hasBasket && !hasOrders && !hasEnded) return null;
  return (
    <div class="menu-basket">
      {hasEnded && <SeatNotice />}
      {hasBasket && pages && (
        <div class="slip-box menu-slip">
          <pages.OrderSlip lines={basket.lines.value} sum={basket.sum.value} />
        </div>
      )}
      <nav
        aria-label={messages().ways}
        class={classNames('gap-2 menu-ways', hasBasket && hasOrders ? 'wrap menu-ways-both' : 'stack')}
      >
        <ProgressLink />
        {!hasBasket && <BillLink />}
        {hasBasket && <BasketButton />}
      </nav>
    </div>
  );
}
