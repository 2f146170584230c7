import { groupBy } from '@comanda/contracts/collections';
import { textKey } from '@comanda/contracts/text-key';
import { useState } from 'preact/hooks';
import { Chip } from '@comanda/ui/chip.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import { LoadingRows } from '../loading/loading-rows.tsx';
import { onDeviceLater } from '../on-device-later.ts';
import { CleanButton } from './clean-button.tsx';
import { FloorTile, Name } from './floor-tile.tsx';
import { byNeed, spotOf } from './floor.ts';
import { waiterMessages } from './messages.ts';
import { NoTables } from './no-tables.tsx';
import { seatingMessages } from './seating-messages.ts';
import { fits, tableFilters, type TableFilter } from './table-filter.ts';
import './tables-page.css';
import type { WaiterSession } from './waiter-session.ts';

/**
 * The floor: a tile for each table, sorted by number or by need. Filters limit it to tables that need something, have paid, or are
 * to be cleaned.
 */
export function TablesPage({ session }: { session: WaiterSession }) {
  const { filters, noneFits, byNeed: byNeedText } = seatingMessages();
  const [filter, setFilter] = useState<TableFilter | null>(null);
  const sort = onDeviceLater.tablesSort.signal.value;
  const all = session.tables.tables.value;
  const isRead = session.tables.loadedAtMs.value > 0 && session.bills.areKnown.value;
  const chosen = filter === null ? all : all.filter((table) => fits(session, { table, filter }));
  const spots = chosen.map((table) => spotOf(session, table));
  if (sort === 'need') spots.sort(byNeed);
  return (
    <>
      <div class="row wrap gap-2 waiter-tables-head">
        <h1 class="waiter-title">{waiterMessages().tabs.tables}</h1>
        <Chip
          pressed={sort === 'need'}
          onClick={() => onDeviceLater.tablesSort.write(sort === 'need' ? 'number' : 'need')}
        >
          {byNeedText}
        </Chip>
      </div>
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
      {filter !== null &&
        spots.length === 0 &&
        (isRead ? <p class="dim">{noneFits}</p> : all.length > 0 && <LoadingRows />)}
      <ul class="waiter-tables">
        {spots.map((spot) => (
          <li key={spot.table.table}>
            <FloorTile spot={spot} now={session.now.value} />
            {filter === 'toClean' && <CleanButton session={session} table={spot.table} size="small" />}
          </li>
        ))}
        {filter === null && <StrayTables session={session} />}
      </ul>
    </>
  );
}

/** Lists table names that orders have, but that don't exist. */
function StrayTables({ session }: { session: WaiterSession }) {
  const words = waiterMessages().tables;
  const byKey = groupBy(session.bills.ordersOfUnknownTables.value, ({ table }) => textKey(table ?? ''));
  return (
    <>
      {[...byKey.values()]
        .map((orders) => [orders[0]?.table ?? '', orders] as const)
        .map(([name, orders]) => (
          <li key={name}>
            <a href={`#/waiter/tables/${name}`} class="floor-tile floor-wants">
              <span class="visually-hidden">
                {[uiMessages().tableOf(name), words.openOrders(orders.length), words.unknown].join(', ')}
              </span>
              <span class="row gap-1 floor-name" aria-hidden="true">
                <Name name={name} />
                <Icon name="warning" size={22} />
              </span>
              <span class="floor-stay" aria-hidden="true">
                {words.openOrders(orders.length)}
              </span>
            </a>
          </li>
        ))}
    </>
  );
}
