import type { TableCall } from '@comanda/contracts/calls';
import type { Table } from '@comanda/contracts/tables';
import { tableNamed } from './by-table.ts';
import type { WaiterSession } from './waiter-session.ts';

export const tableFilters = ['wants', 'paid', 'toClean'] as const;
/**
 * The filters for the list of tables: tables that need something, tables that have paid but are still seated, and tables to be
 * cleaned.
 */
export type TableFilter = (typeof tableFilters)[number];

type Sources = Pick<WaiterSession, 'calls' | 'bills' | 'tables' | 'paying'>;

/** Returns the table where the guests who called sit now, because they may have moved. Joined tables share one seating. */
export function tableOfCall({ tables }: Pick<Sources, 'tables'>, { table, seating }: TableCall): string | null {
  const all = tables.tables.value;
  const seated = all.filter((each) => each.seating === seating);
  return tableNamed(seated, table)?.table ?? seated[0]?.table ?? tableNamed(all, table)?.table ?? table;
}

/** Returns the other tables with the same seating. */
export const joinedWith = ({ tables }: Pick<Sources, 'tables'>, { table, seating }: Table): readonly string[] =>
  tables.tables.value
    .filter((each) => seating !== null && each.seating === seating && each.table !== table)
    .map((each) => each.table);

/** Returns the calls from the guests at this table, oldest first. */
export const callsOf = (sources: Pick<Sources, 'calls' | 'tables'>, { table }: Table): readonly TableCall[] =>
  sources.calls.waiting.value.filter((call) => tableOfCall(sources, call) === table);

type Question = { table: Table; filter: TableFilter };

export function fits(sources: Sources, { table, filter }: Question): boolean {
  if (filter === 'wants') return callsOf(sources, table).length > 0;
  if (filter === 'toClean') return table.status === 'to_clean';
  return isPaid(sources, table);
}

/** Returns true if the guests at the table have ordered, and nothing is left to pay. */
function isPaid({ bills }: Pick<Sources, 'bills'>, table: Table): boolean {
  const { orders, total } = bills.of(table);
  return table.seating !== null && orders.length > 0 && total === '0.00';
}

/**
 * Returns when the guests who still sit at the table made their last payment; null if they still owe something, or if it isn't
 * known.
 */
export function paidAtOf(sources: Pick<Sources, 'bills' | 'paying'>, table: Table): string | null {
  if (!isPaid(sources, table)) return null;
  const ofSeating = sources.paying.bills.value.filter(({ seating }) => seating === table.seating);
  const times = ofSeating.flatMap(({ payments }) => payments.flatMap(({ settled_at: at }) => at ?? []));
  return times.sort().at(-1) ?? null;
}
