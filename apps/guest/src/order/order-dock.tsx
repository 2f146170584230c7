import { classNames } from '@comanda/ui/class-names.ts';
import { Lazy, type LazyModule } from '@comanda/ui/lazy.tsx';
import type { ComponentChildren } from 'preact';
import { useGuest, useRouter } from '../contexts.ts';
import { messages } from '../messages.ts';
import { onDevice } from '../on-device.ts';
import { PausedNotice } from '../menu/paused-notice.tsx';
import { SeatNotice } from '../seat/seat-notice.tsx';
import type { OrderSlip } from './order-slip.tsx';
import './basket-button.css';
import './order-dock.css';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';

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

type OrderDockProps = {
  /** Null until it is loaded. */
  pages: {
    BillLink: () => ComponentChildren;
    OrderSlip: typeof OrderSlip;
    ProgressLink: () => ComponentChildren;
  } | null;
  late: LazyModule<unknown>;
};
/** The bar at the bottom of the menu page: the selected dishes, and the links to the review, the orders and the bill. */
export function OrderDock({ pages, late }: OrderDockProps) {
  const { seat, basket, orderSession } = useGuest();
  const hasBasket = seat.table.value !== null && basket.count.value > 0;
  const hasOrders = orderSession.value?.hasOrders.value === true;
  const hasEnded = seat.scanTrouble.value === 'ended';
  // An unsent order from before a reload stays unsent without the part of the app that sends it.
  const isStuck = late.hasFailed.value && onDevice.unsent.signal.value.length > 0;
  if (!hasBasket && !hasOrders && !hasEnded && !isStuck) return null;
  return (
    <div class="menu-basket">
      {hasEnded && <SeatNotice />}
      {isStuck && <Lazy module={late}>{() => null}</Lazy>}
      {hasBasket && pages && (
        <div class="slip-box menu-slip">
          <pages.OrderSlip lines={basket.lines.value} sum={basket.sum.value} />
        </div>
      )}
      <nav
        aria-label={messages().ways}
        class={classNames('gap-2 menu-ways', hasBasket && hasOrders ? 'wrap menu-ways-both' : 'stack')}
      >
        {pages && <pages.ProgressLink />}
        {pages && !hasBasket && <pages.BillLink />}
        {hasBasket && <BasketButton />}
      </nav>
    </div>
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
