import type { TableCall } from '@comanda/contracts/calls';
import type { Table } from '@comanda/contracts/tables';
import { tableNamed } from './by-table.ts';
import type { WaiterSession } from './waiter-session.ts';

export const tableFilters = ['wants', 'paid', 'toClean'] as const;
/**
 * The tables that a waiter filters for: those that need something, those that have paid but are still seated, and those to be
 * cleaned.
 */
export type TableFilter = (typeof tableFilters)[number];

type Sources = Pick<WaiterSession, 'calls' | 'bills' | 'tables' | 'paying'>;

/** Returns the table where the callers sit now, because they may have moved. Joined tables have one seating. */
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

/** Returns the calls by the people at the table, oldest first. */
export const callsOf = (sources: Pick<Sources, 'calls' | 'tables'>, { table }: Table): readonly TableCall[] =>
  sources.calls.waiting.value.filter((call) => tableOfCall(sources, call) === table);

type Question = { table: Table; filter: TableFilter };

export function fits(sources: Sources, { table, filter }: Question): boolean {
  if (filter === 'wants') return callsOf(sources, table).length > 0;
  if (filter === 'toClean') return table.status === 'to_clean';
  return isPaid(sources, table);
}

/** Returns true if the people at the table have ordered, and nothing is left to pay. */
function isPaid({ bills }: Pick<Sources, 'bills'>, table: Table): boolean {
  const { orders, total } = bills.of(table);
  return table.seating !== null && orders.length > 0 && total === '0.00';
}

/** Returns when the people who still sit there paid the last of it; null if they haven't, or it isn't known. */
export function paidAtOf(sources: Pick<Sources, 'bills' | 'paying'>, table: Table): string | null {
  if (!isPaid(sources, table)) return null;
  const ofSeating = sources.paying.bills.value.filter(({ seating }) => seating === table.seating);
  const times = ofSeating.flatMap(({ payments }) => payments.flatMap(({ settled_at: at }) => at ?? []));
  return times.sort().at(-1) ?? null;
}
