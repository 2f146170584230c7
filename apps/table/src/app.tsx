import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import './app.css';
import { messages } from './messages.ts';
import { MenuPage } from './pages/menu-page.tsx';
import { createLatePart, ShownPart } from './parts/late-part.tsx';
import { announcement } from './state/announce.ts';
import { menu } from './state/menu.ts';
import { openCounts } from './state/orders.ts';
import { hrefOf, replaceRoute, route, scrollOf } from './state/route.ts';
import type { Route } from './state/route.ts';
import { table } from './state/seat.ts';
import { isLate, lastSent, outgoing } from './state/sending.ts';

const orderPages = createLatePart(() => import('./pages/order-pages.ts'));
const accountPages = createLatePart(() => import('./pages/account-page.tsx'));

function Page({ to }: { to: Route }) {
  if (to.page === 'menu') return <MenuPage />;
  if (to.page === 'account')
    return <ShownPart part={accountPages}>{({ AccountPage }) => <AccountPage to={to} />}</ShownPart>;
  return (
    <ShownPart part={orderPages}>
      {({ DishPage, NotSentPage, OrdersPage, ReviewPage }) => {
        if (to.page === 'dish') return <DishPage key={to.id} id={to.id} />;
        if (to.page === 'orders') return <OrdersPage />;
        return outgoing.value && isLate.value ? <NotSentPage outgoing={outgoing.value} /> : <ReviewPage />;
      }}
    </ShownPart>
  );
}

/** The page's title says where one is, and whether something is ready. */
function titleOf(): string {
  const words = messages();
  const { ready } = openCounts.value;
  const place = table.value === null ? words.menu : words.table(table.value);
  return [ready > 0 && `● ${words.counts.ready(ready)}`, place, 'Comanda'].filter(Boolean).join(' · ');
}

export function App() {
  const to = route.value;
  const isNotSent = outgoing.value !== null && isLate.value && to.page === 'review';
  const pageKey = isNotSent ? 'not sent' : hrefOf(to);
  useSignalEffect(() => {
    document.title = titleOf();
  });
  useSignalEffect(() => {
    if (lastSent.value && route.peek().page === 'review') replaceRoute({ page: 'orders' });
  });
  // Once the menu is there, the rest is loaded: an order can then be placed and tried again without a connection.
  useSignalEffect(() => {
    if (menu.value !== null) void orderPages.load();
  });
  // A new page begins at its top, and the menu where it was left; screen readers begin with the heading.
  const isFirstPageRef = useRef(true);
  useLayoutEffect(() => {
    scrollTo(0, scrollOf(to.page));
    if (!isFirstPageRef.current) document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    isFirstPageRef.current = false;
  }, [pageKey, to.page]);
  return (
    <>
      <Page to={to} />
      <p class="spoken" role="status" aria-live="polite">
        {announcement.value}
      </p>
    </>
  );
}
