import { untracked, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { lazyModule } from '@comanda/ui/lazy.tsx';
import { ReleaseLine } from '@comanda/ui/web-app/release-line.tsx';
import './restaurant-line.css';
import './app.css';
import { GuestContext, RouterContext } from './contexts.ts';
import type { GuestSession } from './guest-session.ts';
import { LazyPage } from './lazy-page.tsx';
import { MenuPage } from './menu/menu-page.tsx';
import { messages } from './messages.ts';
import { OrderDock, OrderingNotices } from './order/order-dock.tsx';
import { restaurant } from './restaurant.ts';
import { type Route, type Router, hrefOf } from './router.ts';
import { menuPictures } from '@comanda/contracts/rules';
import { classNames } from '@comanda/ui/class-names.ts';

/** The parts of the app that are loaded after the menu. `guest.orderSession` is null until `order` is loaded. */
const parts = {
  order: lazyModule(() => import('./order/order-pages.ts')),
  bill: lazyModule(() => import('./bill/bill-pages.ts')),
  account: lazyModule(() => import('./account/account-page.tsx')),
};

/** The guest's calls, once that part is loaded. */
function Calls() {
  const { CallBar } = parts.order.loaded.value ?? {};
  return CallBar ? <CallBar /> : null;
}

function Page({ to, guest }: { to: Route; guest: GuestSession }) {
  const isOpen = guest.orderSession.value !== null;
  if (to.page === 'menu') {
    const pages = isOpen ? parts.order.loaded.value : null;
    return (
      <MenuPage
        calls={<Calls />}
        notices={<OrderingNotices pages={pages} />}
        dock={<OrderDock pages={pages} late={parts.order} />}
        late={parts.order}
      />
    );
  }
  if (to.page === 'account')
    return <LazyPage module={parts.account}>{({ AccountPage }) => <AccountPage to={to} />}</LazyPage>;
  if (to.page === 'bill' || to.page === 'pay') {
    const bills = guest.bills.value;
    return (
      <LazyPage module={parts.bill}>
        {({ BillPage, PayPages }) =>
          bills && (to.page === 'pay' ? <PayPages bills={bills} to={to} /> : <BillPage bills={bills} />)
        }
      </LazyPage>
    );
  }
  return (
    <LazyPage module={parts.order}>
      {({ DishPage, OrdersPage, ReviewPage }) => {
        if (!isOpen) return null;
        if (to.page === 'dish') return <DishPage key={hrefOf(to)} id={to.id} line={to.line} />;
        return to.page === 'orders' ? <OrdersPage /> : <ReviewPage />;
      }}
    </LazyPage>
  );
}

/** Returns the page's title: the table, and how many dishes are ready. */
function titleOf({ seat, orderSession }: GuestSession): string {
  const words = messages();
  const ready = orderSession.value?.ready.value;
  const place = seat.table.value === null ? words.menu : words.table(seat.table.value);
  return [ready && `● ${ready}`, place, restaurant.value.name || 'Comanda'].filter(Boolean).join(' · ');
}

/** Runs effects that follow the session's state and don't depend on the current page. */
function useFollowing(guest: GuestSession): void {
  useSignalEffect(() => {
    document.title = titleOf(guest);
  });
  // After the menu, the rest of the app is loaded too, so that orders can be placed and retried without a connection. An unsent
  // order is retried even if the menu can't be loaded.
  useSignalEffect(() => {
    const { dishes, failure } = guest.menu;
    if (dishes.value !== null || failure.value !== null) void parts.order.load();
  });
  // The bill's script is loaded once something was ordered, because the link to the bill shows what is left to pay.
  useSignalEffect(() => {
    if (guest.orderSession.value?.orders.all.value.length) void parts.bill.load();
  });
  useSignalEffect(() => {
    const loaded = parts.bill.loaded.value;
    return loaded ? untracked(() => guest.followBills(loaded.openBills)) : undefined;
  });
  useSignalEffect(() => {
    const loaded = parts.order.loaded.value;
    return loaded ? untracked(() => guest.followOrders(loaded.openOrderSession)) : undefined;
  });
}

/**
 * Scrolls to the top of a new page, but restores the last position in the menu. Moves the focus to the page's heading for screen
 * readers; after an order was sent, to that order's heading.
 */
function usePageStart(router: Router, pageKey: string): void {
  const { page } = router.route.value;
  const isFirstPageRef = useRef(true);
  useLayoutEffect(() => {
    const heading = document.querySelector<HTMLElement>('#unsent-order') ?? document.querySelector('h1');
    scrollTo(0, router.scrollOf(page));
    if (!isFirstPageRef.current) heading?.focus({ preventScroll: true });
    isFirstPageRef.current = false;
  }, [router, pageKey, page]);
}

/** The pages that say which restaurant this is. The others are for one dish, or for money. */
const pagesWithName: ReadonlySet<Route['page']> = new Set(['menu', 'orders', 'bill', 'review']);

type AppProps = { guest: GuestSession; router: Router };
export function App({ guest, router }: AppProps) {
  const to = router.route.value;
  useFollowing(guest);
  usePageStart(router, hrefOf(to));
  return (
    <GuestContext.Provider value={guest}>
      <RouterContext.Provider value={router}>
        <ReleaseLine release={guest.release} />
        {pagesWithName.has(to.page) && <RestaurantLine isWide={to.page === 'menu'} />}
        {to.page !== 'menu' && <Calls />}
        <Page to={to} guest={guest} />
        <p class="visually-hidden" role="status" aria-live="polite">
          {guest.announcement.value}
        </p>
      </RouterContext.Provider>
    </GuestContext.Provider>
  );
}

/** The restaurant's logo and name, above a page. `isWide`: true if the page fills a wide screen. */
const RestaurantLine = ({ isWide }: { isWide: boolean }) => {
  const { name, logo } = restaurant.value;
  return (
    <section
      class={classNames('row gap-2 restaurant-line', isWide && 'restaurant-line-wide')}
      aria-label={messages().restaurant}
      translate={false}
    >
      {logo !== null && (
        <img src={`${logo}?width=${menuPictures.widths.small}`} alt="" width="28" height="28" decoding="async" />
      )}
      <bdi>{name}</bdi>
    </section>
  );
};
