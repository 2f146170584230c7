import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ErrorBoundary } from 'preact-iso/lazy';
import lazy from 'preact-iso/lazy';
import './app.css';
import { messages } from './messages.ts';
import { DishPage } from './pages/dish-page.tsx';
import { MenuPage } from './pages/menu-page.tsx';
import { NotSentPage } from './pages/not-sent-page.tsx';
import { OrdersPage } from './pages/orders-page.tsx';
import { ReviewPage } from './pages/review-page.tsx';
import { announcement } from './state/announce.ts';
import { openCounts } from './state/orders.ts';
import { replaceRoute, route, scrollOf } from './state/route.ts';
import type { Route } from './state/route.ts';
import { table } from './state/seat.ts';
import { isLate, lastSent, outgoing } from './state/sending.ts';

const AccountPage = lazy(() => import('./pages/account-page.tsx').then(({ AccountPage: page }) => page));

function Page({ to }: { to: Route }) {
  if (outgoing.value && isLate.value && to.page === 'review') return <NotSentPage outgoing={outgoing.value} />;
  if (to.page === 'dish') return <DishPage key={to.id} id={to.id} />;
  if (to.page === 'review') return <ReviewPage />;
  if (to.page === 'orders') return <OrdersPage />;
  return to.page === 'account' ? <AccountPage /> : <MenuPage />;
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
  const pageKey = to.page === 'dish' ? `dish ${to.id}` : isNotSent ? 'not sent' : to.page;
  useSignalEffect(() => {
    document.title = titleOf();
  });
  useSignalEffect(() => {
    if (lastSent.value && route.peek().page === 'review') replaceRoute({ page: 'orders' });
  });
  // A new page begins at its top, and the menu where it was left; screen readers begin with the heading.
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    scrollTo(0, scrollOf(to.page));
    if (!isFirst.current) document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [pageKey]);
  return (
    <ErrorBoundary>
      <Page to={to} />
      <p class="spoken" role="status" aria-live="polite">
        {announcement.value}
      </p>
    </ErrorBoundary>
  );
}
