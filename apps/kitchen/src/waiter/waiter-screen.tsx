import type { Client } from '@comanda/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatMoney } from '@comanda/ui/format.ts';
import { ThemeButton } from '@comanda/ui/settings-buttons.tsx';
import { AppMenu } from '../app-menu.tsx';
import { FeedLine } from '../parts/feed-line.tsx';
import { path } from '../screen.ts';
import { sumOf } from './by-table.ts';
import { countOf } from './draft.ts';
import { waiterMessages } from './messages.ts';
import { NoticeBar } from './notice-bar.tsx';
import { OrderPage } from './order-page.tsx';
import { OutboxStrip } from './outbox-strip.tsx';
import { ReadyPage } from './ready-page.tsx';
import { TablePage } from './table-page.tsx';
import { TablesPage } from './tables-page.tsx';
import { openWaiterSession } from './waiter-session.ts';
import type { WaiterSession } from './waiter-session.ts';
import './waiter.css';

/** The waiters' phones: what is ready, the tables, orders for a table. */
export function WaiterScreen({ client }: { client: Client }) {
  const [session, setSession] = useState<WaiterSession | null>(null);
  useEffect(() => {
    const opened = openWaiterSession(client);
    setSession(opened);
    return opened.close;
  }, [client]);
  return session && <Waiter client={client} session={session} />;
}

type Props = { client: Client; session: WaiterSession };

function Waiter({ client, session }: Props) {
  const words = waiterMessages();
  const [screen, page = 'ready', ...rest] = path.value.split('/');
  const isShown = screen === 'waiter';
  useEffect(() => {
    if (isShown) document.title = `Comanda · ${words.title}`;
  }, [isShown, words]);
  // A new page begins at its top.
  const main = useRef<HTMLElement>(null);
  const address = path.value;
  useEffect(() => {
    main.current?.scrollTo(0, 0);
  }, [address]);
  if (!isShown) return null;
  return (
    <div class="waiter">
      <header class="waiter-head">
        <FeedLine state={session.feedState.value} hint={words.notLiveHint} />
        <OpenTotal session={session} />
        <ThemeButton />
        <AppMenu client={client} />
      </header>
      <main ref={main} class="waiter-main">
        <OutboxStrip session={session} />
        {session.keptCount.value > 0 && session.feedState.value.kind !== 'live' && (
          <p class="waiter-kept">{words.keptServed(session.keptCount.value)}</p>
        )}
        <Page session={session} page={page} rest={rest} />
      </main>
      <footer class="waiter-foot">
        <NoticeBar client={client} session={session} />
        <Tabs session={session} page={page} />
      </footer>
    </div>
  );
}

function Page({ session, page, rest }: { session: WaiterSession; page: string; rest: readonly string[] }) {
  const [table, step] = rest.map(decodeURIComponent);
  if (page === 'tables')
    return table === undefined ? (
      <TablesPage session={session} />
    ) : (
      <TablePage key={table} session={session} name={table} />
    );
  if (page === 'order') return <OrderPage session={session} table={table ?? null} isReview={step === 'review'} />;
  return <ReadyPage session={session} />;
}

/** What all tables with people still owe. */
function OpenTotal({ session }: { session: WaiterSession }) {
  const bills = session.tables.value.map(session.bill);
  const currency = bills.find(({ orders }) => orders.length > 0)?.currency ?? 'BRL';
  return (
    <p class="waiter-total">
      {waiterMessages().tables.back} <strong>{formatMoney(sumOf(bills), currency)}</strong>
    </p>
  );
}

const drawings = {
  ready: 'M4 18.500h16M5.500 15.500a6.500 6.500 0 0 1 13 0ZM12 9V6.800M10.300 6.500h3.400',
  tables: 'M4 8h16M6.500 8v9M12 8v6M17.500 8v9',
  order: 'M12 5v14M5 12h14',
};

function Tabs({ session, page }: { session: WaiterSession; page: string }) {
  const words = waiterMessages().tabs;
  const counts = {
    ready: session.waiting.value.filter(({ ready }) => ready.length > 0).length,
    tables: 0,
    order: countOf(session.draft.draft.value.lines),
  };
  const { table } = session.draft.draft.value;
  const href = {
    ready: '#/waiter',
    tables: '#/waiter/tables',
    order: `#/waiter/order${table === null ? '' : `/${table}`}`,
  };
  return (
    <nav class="waiter-tabs" aria-label={words.label}>
      {(['ready', 'tables', 'order'] as const).map((tab) => (
        <a key={tab} href={href[tab]} aria-current={page === tab ? 'page' : undefined}>
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
