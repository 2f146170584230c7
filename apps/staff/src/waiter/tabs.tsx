import { countOf } from './draft.ts';
import { waiterMessages } from './messages.ts';
import './tabs.css';
import type { WaiterSession } from './waiter-session.ts';

const drawings = {
  ready: 'M4 18.500h16M5.500 15.500a6.500 6.500 0 0 1 13 0ZM12 9V6.800M10.300 6.500h3.400',
  tables: 'M4 8h16M6.500 8v9M12 8v6M17.500 8v9',
  order: 'M12 5v14M5 12h14',
};

/** Links to the waiters' three pages, each with the number of things that wait there. */
export function Tabs({ session, page }: { session: WaiterSession; page: string }) {
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
