import { classNames } from '@comanda/ui/class-names.ts';
import type { ComponentChildren } from 'preact';
import { BillLink } from '../bill/bill-link.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { messages } from '../messages.ts';
import { PausedNotice } from '../menu/paused-notice.tsx';
import { SeatNotice } from '../seat/seat-notice.tsx';
import type { OrderSlip } from './order-slip.tsx';
import './progress-link.css';
import './basket-button.css';
import './order-dock.css';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { Money } from '@comanda/ui/money.tsx';
import { hrefOf } from '../router.ts';

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

/** The menu page's link to the orders, with the best news. Beside the basket button, only one word fits. */
function ProgressLink() {
  const words = messages();
  const { orders, menu, sending } = useGuest();
  const isLate = sending.outgoing.value?.state === 'late';
  const isWarning = isLate || sending.ended.value.length > 0;
  if (orders.all.value.length === 0 && !isWarning && !sending.outgoing.value) return null;
  const counts = orders.openCounts.value;
  const best = (['ready', 'preparing', 'received', 'delivered'] as const).find((status) => counts[status] > 0);
  return (
    <a
      class={classNames(
        'card row progress-link',
        isWarning ? 'on-amber progress-link-warning' : counts.ready > 0 && 'progress-link-ready',
      )}
      href={hrefOf({ page: 'orders' })}
    >
      <Icon name={isWarning ? 'warning' : counts.ready > 0 ? 'waiter' : counts.preparing > 0 ? 'flame' : 'receipt'} />
      <span class="progress-link-text">
        <span class="progress-link-title">
          {isLate ? words.notSentShort : isWarning ? words.lookAtOrder : words.orders}
          {!isWarning && (
            <span class="progress-link-more">
              {' · '}
              <Money>{formatMoney(orders.total.value, menu.currency.value)}</Money>
            </span>
          )}
        </span>
        <span class="progress-link-more">{best && words.counts[best](counts[best])}</span>
      </span>
      <Icon name="chevron" />
    </a>
  );
}

/** The link to the review page, with the number of selected dishes and their price. */
function BasketButton() {
  const words = messages();
  const { basket, menu } = useGuest();
  const { navigate } = useRouter();
  const count = basket.count.value;
  const money = formatMoney(basket.sum.value, menu.currency.value);
  return (
    <button
      type="button"
      class="row basket-button"
      aria-label={`${words.basket(count, money)}, ${words.review}`.replaceAll('\u00a0', ' ')}
      onClick={() => navigate({ page: 'review' })}
    >
      <Icon name="receipt" />
      <span class="basket-button-sum" translate={false}>
        {words.items(count)} · {money}
      </span>
      <span class="basket-button-word">{words.review}</span>
      <Icon name="chevron" />
    </button>
  );
}
