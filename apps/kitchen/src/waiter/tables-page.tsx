import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatMoney } from '@comanda/ui/format.ts';
import { waiterMessages } from './messages.ts';
import './tables-page.css';
import type { WaiterSession } from './waiter-session.ts';

/** All tables, with what they owe. */
export function TablesPage({ session }: { session: WaiterSession }) {
  const words = waiterMessages().tables;
  const { tables, bills } = session;
  const failure = tables.failure.value;
  return (
    <>
      <h1 class="waiter-title">{words.title}</h1>
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      {failure === null && session.isRead.value && tables.tables.value.length === 0 && <p>{words.none}</p>}
      <ul class="waiter-tables">
        {tables.tables.value.map((table) => {
          const { total, currency, openCount, orders } = bills.of(table);
          const isFree = !bills.isTaken(table);
          const leftCount = bills.leftOrders(table).length;
          return (
            <li key={table.table}>
              <a href={`#/waiter/tables/${table.table}`} class={isFree ? 'waiter-table-free' : undefined}>
                <strong>{waiterMessages().table(table.table)}</strong>
                <span>
                  {isFree
                    ? words.free
                    : openCount > 0
                      ? words.openOrders(openCount)
                      : orders.length > 0
                        ? words.allServed
                        : words.noOrders}
                </span>
                {leftCount > 0 && <span>{words.leftCount(leftCount)}</span>}
                {orders.length > 0 && <b>{formatMoney(total, currency)}</b>}
              </a>
            </li>
          );
        })}
      </ul>
    </>
  );
}
