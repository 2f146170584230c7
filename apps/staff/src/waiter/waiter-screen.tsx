import './tabs.css';
import '@comanda/ui/status.css';
import './waiter-screen.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { defaultCurrency } from '@comanda/contracts/rules';
import { formatUntil } from '@comanda/ui/format.ts';
import { Lazy, lazyModule } from '@comanda/ui/lazy.tsx';
import { stopMessages } from '@comanda/ui/stop-messages.ts';
import { ThemeButton } from '@comanda/ui/settings-buttons.tsx';
import { goTo } from '../address.ts';
import { AppMenu } from '../app-menu/app-menu.tsx';
import { FeedLine } from '../feed/feed-line.tsx';
import type { ScreenProps } from '../screen-props.ts';
import { waiterMessages } from './messages.ts';
import { PaymentStrip } from './bill/payment-strip.tsx';
import { NoticeBar } from './notice-bar.tsx';
import { OrderDock } from './order-dock.tsx';
import { OrderPage } from './order-page.tsx';
import { UnsentOrdersStrip } from './unsent-orders-strip.tsx';
import { ReadyPage } from './ready-page.tsx';
import { TablePage } from './table-page.tsx';
import { TablesPage } from './tables-page.tsx';
import { useIsWide } from './use-is-wide.ts';
import { type WaiterSession, openWaiterSession } from './waiter-session.ts';
import { countOf } from './draft.ts';

/** The pages for a bill. */
const billScreen = lazyModule(() => import('./bill/bill-screen.tsx'));
/** Few waiters count cash. */
const countCash = lazyModule(() => import('../cash/count-cash.tsx'));

/** The waiters' screen, with pages for ready dishes, for tables, and for taking orders. */
export function WaiterScreen({ client, unsent, path }: ScreenProps) {
  const [session, setSession] = useState<WaiterSession | null>(null);
  useEffect(() => {
    const opened = openWaiterSession(client, unsent);
    setSession(opened);
    void billScreen.load(); // Early, so that payments can be recorded without a network.
    return opened.close;
  }, [client, unsent]);
  return session && <Waiter client={client} path={path} session={session} />;
}

type Props = Pick<ScreenProps, 'client' | 'path'> & { session: WaiterSession };

function Waiter({ client, path, session }: Props) {
  const words = waiterMessages();
  const isWide = useIsWide();
  const [screen, page = 'ready', ...rest] = path.split('/');
  const isShown = screen === 'waiter';
  useEffect(() => {
    if (isShown) document.title = `Comanda · ${words.title}`;
  }, [isShown, words]);
  // A new page starts at its top. The focus moves to its heading, for keyboards and screen readers.
  const main = useRef<HTMLElement>(null);
  const shownPathRef = useRef(path);
  useEffect(() => {
    main.current?.scrollTo(0, 0);
    if (shownPathRef.current === path) return;
    shownPathRef.current = path;
    const start = main.current?.querySelector('h1') ?? main.current;
    start?.setAttribute('tabindex', '-1');
    start?.focus({ preventScroll: true });
  }, [path]);
  if (!isShown) return null;
  return (
    <div class="column waiter">
      <header class="row wrap waiter-head">
        <FeedLine state={session.feedState.value} hint={words.notLiveHint} />
        <MyTables session={session} />
        <ThemeButton />
        <AppMenu
          client={client}
          screen="waiter"
          entries={[{ text: words.countCash, onChoose: () => goTo('#/waiter/cash') }]}
        />
      </header>
      <main ref={main} class="column gap-3 waiter-main">
        <PauseStrip session={session} />
        <StopStrip session={session} />
        <UnsentOrdersStrip session={session} />
        <PaymentStrip session={session} />
        {session.unsentCount.value > 0 && session.feedState.value.kind !== 'live' && (
          <p class="edge on-amber waiter-unsent">{words.unsentServed(session.unsentCount.value)}</p>
        )}
        <Page session={session} page={page} rest={rest} />
      </main>
      <footer class="waiter-foot">
        <NoticeBar client={client} session={session} />
        {page === 'order' && !isWide && <OrderDock session={session} {...orderOf(rest)} />}
        <Tabs session={session} page={page} />
      </footer>
    </div>
  );
}

/** Says until when guests can't order on their phones. */
function PauseStrip({ session }: { session: WaiterSession }) {
  const until = session.ordering.pausedUntil.value;
  if (until === null) return null;
  return (
    <div class="edge on-amber waiter-unsent" role="status">
      {waiterMessages().paused(formatUntil(until, session.now.value))}
    </div>
  );
}

/** Says that guests can't pay from an account now. */
function StopStrip({ session }: { session: WaiterSession }) {
  const { transfers } = session.stops.state.value;
  if (transfers === null) return null;
  const { stopped, instead } = stopMessages().transfers;
  const reason = transfers.reason ?? '';
  // A long reason is folded, so that ready dishes stay in view on a phone.
  const isLong = reason.length > 60;
  return (
    <div class="edge on-amber waiter-unsent" role="status">
      {[stopped, !isLong && reason, instead].filter(Boolean).join(' · ')}
      {isLong && (
        <details>
          <summary>{waiterMessages().stopReason}</summary>
          <p>{reason}</p>
        </details>
      )}
    </div>
  );
}

/** Reads the address of an order's page: the table, and whether it is the review. */
function orderOf([table, step]: readonly string[]) {
  return { table: table === undefined ? null : decodeURIComponent(table), isReview: step === 'review' };
}

function Page({ session, page, rest }: { session: WaiterSession; page: string; rest: readonly string[] }) {
  const [table, step = '', method = '', amount = ''] = rest.map(decodeURIComponent);
  if (page === 'tables')
    return table === undefined ? (
      <TablesPage session={session} />
    ) : (
      <TablePage key={table} session={session} name={table} />
    );
  if (page === 'bill')
    return (
      <Lazy module={billScreen}>
        {({ BillScreen }) => <BillScreen session={session} id={Number(table)} {...{ step, method, amount }} />}
      </Lazy>
    );
  if (page === 'cash') {
    const currency = session.paying.restaurant.value?.currency ?? defaultCurrency;
    return (
      <Lazy module={countCash}>{({ CountCash }) => <CountCash client={session.client} currency={currency} />}</Lazy>
    );
  }
  if (page === 'order') return <OrderPage session={session} {...orderOf(rest)} />;
  return <ReadyPage session={session} />;
}

/** Who is signed in, and at how many tables guests sit for whom this waiter has taken an order. */
function MyTables({ session }: { session: WaiterSession }) {
  const { client, bills, tables, userId } = session;
  const isKnown = bills.areKnown.value && tables.loadedAtMs.value > 0;
  const seatings = tables.tables.value
    .filter((table) => table.seating !== null && bills.of(table).orders.some(({ placed_by: by }) => by.id === userId))
    .map(({ seating }) => seating);
  return (
    <p class="waiter-me">
      <strong>{client.who()?.name}</strong>{' '}
      <span>{waiterMessages().myTables(isKnown ? new Set(seatings).size : null)}</span>
    </p>
  );
}

const drawings = {
  ready: 'M4 18.500h16M5.500 15.500a6.500 6.500 0 0 1 13 0ZM12 9V6.800M10.300 6.500h3.400',
  tables: 'M4 8h16M6.500 8v9M12 8v6M17.500 8v9',
  order: 'M12 5v14M5 12h14',
};

/** Links to the waiters' three pages, each with the number of things that wait there. */
function Tabs({ session, page }: { session: WaiterSession; page: string }) {
  const words = waiterMessages().tabs;
  const { table, lines } = session.draft.draft.value;
  const counts = {
    ready:
      session.waiting.value.filter(({ ready }) => ready.length > 0).length +
      session.calls.waiting.value.filter(({ status }) => status === 'open').length,
    tables: 0,
    order: countOf(lines),
  };
  const href = {
    ready: '#/waiter',
    tables: '#/waiter/tables',
    order: `#/waiter/order${table === null ? '' : `/${table}`}`,
  };
  return (
    <nav class="waiter-tabs" aria-label={waiterMessages().title}>
      {(['ready', 'tables', 'order'] as const).map((tab) => (
        <a key={tab} href={href[tab]} aria-current={tab === (page === 'bill' ? 'tables' : page) ? 'page' : undefined}>
          <span class="waiter-tab-icon">
            <svg viewBox="0 0 24 24" width="30" height="30" aria-hidden="true">
              <path
                d={drawings[tab]}
                fill="none"
                stroke="currentColor"
                stroke-width="2"
                stroke-linecap="round"
                stroke-linejoin="round"
              />
            </svg>
            {counts[tab] > 0 && <b>{counts[tab]}</b>}
          </span>
          {words[tab]}
        </a>
      ))}
    </nav>
  );
}
