import { groupBy } from '@comanda/contracts/collections';
import { textKey } from '@comanda/contracts/text-key';
import type { Table } from '@comanda/contracts/tables';
import { useState } from 'preact/hooks';
import { Chip } from '@comanda/ui/chip.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { CleanButton } from './clean-button.tsx';
import { waiterMessages } from './messages.ts';
import { NoTables } from './no-tables.tsx';
import { seatingMessages } from './seating-messages.ts';
import { openTotalText } from './open-total-text.ts';
import { TableState } from './table-state.tsx';
import { fits, tableFilters, type TableFilter } from './table-filter.ts';
import './tables-page.css';
import type { WaiterSession } from './waiter-session.ts';

/** Lists the tables with what they owe. Filters limit it to tables that need something, have paid, or are to be cleaned. */
export function TablesPage({ session }: { session: WaiterSession }) {
  const words = waiterMessages().tables;
  const { filters, noneFits } = seatingMessages();
  const [filter, setFilter] = useState<TableFilter | null>(null);
  const all = session.tables.tables.value;
  const shown = filter === null ? all : all.filter((table) => fits(session, { table, filter }));
  return (
    <>
      <h1 class="waiter-title">{words.title}</h1>
      <NoTables session={session} />
      <div class="waiter-filters" role="group" aria-label={filters.label}>
        {tableFilters.map((each) => {
          const count = all.filter((table) => fits(session, { table, filter: each })).length;
          return (
            <Chip key={each} pressed={filter === each} onClick={() => setFilter(filter === each ? null : each)}>
              {filters[each]} {count > 0 && <b>{count}</b>}
            </Chip>
          );
        })}
      </div>
      {filter !== null && shown.length === 0 && <p class="waiter-dim">{noneFits}</p>}
      <ul class="waiter-tables">
        {shown.map((table) => (
          <li key={table.table} class={classNames(isLarge(session, table) && 'waiter-table-wide')}>
            <TableLink session={session} table={table} />
            {table.status === 'to_clean' && <CleanButton session={session} table={table} size="small" />}
          </li>
        ))}
        {filter === null && <StrayTables session={session} />}
      </ul>
    </>
  );
}

/** Returns true if the table's total needs more than a third of a phone's width. */
function isLarge(session: WaiterSession, table: Table): boolean {
  const { total, currency } = session.bills.of(table);
  return openTotalText(total, currency).length > 12;
}

/** Lists table names that orders have, but that don't exist. */
function StrayTables({ session }: { session: WaiterSession }) {
  const words = waiterMessages().tables;
  const byKey = groupBy(session.bills.strayOrders.value, ({ table }) => textKey(table ?? ''));
  return (
    <>
      {[...byKey.values()]
        .map((orders) => [orders[0]?.table ?? '', orders] as const)
        .map(([name, orders]) => (
          <li key={name}>
            <a href={`#/waiter/tables/${name}`} class="waiter-table-stray">
              <strong>{waiterMessages().table(name)}</strong>
              <span>{words.openOrders(orders.length)}</span>
              <span>{words.unknown}</span>
            </a>
          </li>
        ))}
    </>
  );
}

function TableLink({ session, table }: { session: WaiterSession; table: Table }) {
  const words = waiterMessages().tables;
  const { total, currency, orders } = session.bills.of(table);
  const isFree = !session.bills.isTaken(table);
  const free = session.bills.areKnown.value ? words.free : null;
  const state = isFree ? free : ordersState(session, table);
  const leftCount = session.bills.leftOrders(table).length;
  const wants = fits(session, { table, filter: 'wants' });
  return (
    <a
      href={`#/waiter/tables/${table.table}`}
      class={classNames(isFree && 'waiter-table-free', wants && 'waiter-table-wants')}
    >
      <strong>{waiterMessages().table(table.table)}</strong>
      {state !== null && (!isFree || table.status !== 'to_clean') && <span>{state}</span>}
      <TableState session={session} table={table} />
      {leftCount > 0 && <span>{words.leftCount(leftCount)}</span>}
      {orders.length > 0 && <b>{openTotalText(total, currency)}</b>}
    </a>
  );
}

/** Describes the progress of the orders at a taken table; null while they are loading. */
function ordersState(session: WaiterSession, table: Table): string | null {
  const words = waiterMessages().tables;
  const { openCount, orders } = session.bills.of(table);
  if (openCount > 0) return words.openOrders(openCount);
  if (orders.length > 0) return words.allServed;
  return session.bills.areKnown.value ? words.noOrders : null;
}
