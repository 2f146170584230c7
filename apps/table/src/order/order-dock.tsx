import { classNames } from '@comanda/ui/class-names.ts';
import { BillLink } from '../bill/bill-link.tsx';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';
import { PausedNotice } from '../menu/paused-notice.tsx';
import { SeatNotice } from '../seat/seat-notice.tsx';
import { BasketButton } from './basket-button.tsx';
import { NotLiveNotice } from '../not-live-notice.tsx';
import { OutgoingNotice, StoppedNotice } from './order-notices.tsx';
import { OrderSlip } from './order-slip.tsx';
import { ProgressLink } from './progress-link.tsx';
import './order-dock.css';

/** On the menu: why one cannot order now, and what became of earlier orders. */
export function OrderingNotices() {
  const { scanTrouble, table } = useGuest().seat;
  return (
    <>
      {scanTrouble.value !== 'ended' && <SeatNotice />}
      <OutgoingNotice />
      <StoppedNotice />
      <PausedNotice />
      {table.value !== null && <NotLiveNotice />}
    </>
  );
}

/** On the menu: what is chosen, and the ways to the review and to the orders. */
export function OrderDock() {
  const { seat, basket, orders } = useGuest();
  const hasBasket = seat.table.value !== null && basket.count.value > 0;
  const hasOrders = orders.all.value.length > 0;
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
