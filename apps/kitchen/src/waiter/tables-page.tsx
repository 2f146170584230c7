import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatMoney } from '@comanda/ui/format.ts';
import { waiterMessages } from './messages.ts';
import type { WaiterSession } from './waiter-session.ts';

/** All tables, with what they owe. */
export function TablesPage({ session }: { session: WaiterSession }) {
  const words = waiterMessages().tables;
  const failure = session.tablesFailure.value;
  return (
    <>
      <h1 class="waiter-title">{words.title}</h1>
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      {failure === null && session.isRead.value && session.tables.value.length === 0 && <p>{words.none}</p>}
      <ul class="waiter-tables">
        {session.tables.value.map((table) => {
          const { total, currency, openCount, orders } = session.bill(table);
          const isFree = !session.isTaken(table);
          const leftCount = session.leftOrders(table).length;
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
