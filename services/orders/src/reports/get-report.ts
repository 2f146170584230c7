import { problem } from '@comanda/contracts/problem';
import {
  maxReportDays,
  maxReportRows,
  type getReport as contract,
  type ReportName,
  type ReportRows,
  type WaiterRow,
} from '@comanda/contracts/reports';
import type { Call } from '@comanda/shared/http/api';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { MovementStore } from '../cash-drawers/movement-store.ts';
import { toMovementRow } from '../cash-drawers/movement.ts';
import type { DayStore } from '../day/day-store.ts';
import type { ExceptionStore } from '../exceptions/exception-store.ts';
import { toExceptionRow } from '../exceptions/list-exceptions.ts';
import { listInTurns } from '../in-turns.ts';
import type { ClosedBillStore } from './closed-bill-store.ts';
import { toCsv, type Columns } from './csv.ts';
import type { OrderedStore } from './ordered-store.ts';
import { dishRows, hourRows, stationRows, type OrderedOrder } from './ordered.ts';
import { waiterRows } from './people.ts';
import { createRecent } from './recent.ts';

export type ReportDeps = {
  closedBills: ClosedBillStore;
  days: Pick<DayStore, 'countBetween'>;
  exceptions: Pick<ExceptionStore, 'listOfDays'>;
  movements: Pick<MovementStore, 'listOfDays' | 'read'>;
  ordered: Pick<OrderedStore, 'findOfBills'>;
  timeZone: string;
  clock: Clock;
};
type Query = Call<typeof contract>['query'];
type Page = { rows: ReportRows<ReportName>; next: number | null };

const columns: Record<ReportName, Columns> = {
  movements: {
    names: [
      'id',
      'day',
      'at',
      'kind',
      'method',
      'confirmed_by',
      'cash_drawer',
      'amount',
      'tip',
      'bill_id',
      'payment_id',
      'by',
      'reason',
      'other',
      'reverses',
    ],
    money: ['amount', 'tip'],
    times: ['at'],
  },
  exceptions: {
    names: ['id', 'day', 'at', 'kind', 'bill_id', 'line_id', 'name', 'amount', 'by', 'reason'],
    money: ['amount'],
    times: ['at'],
  },
  waiters: {
    names: ['by', 'method', 'confirmed_by', 'count', 'amount', 'tips', 'refunds'],
    money: ['amount', 'tips', 'refunds'],
    times: [],
  },
  bills: {
    names: [
      'number',
      'id',
      'table',
      'opened_at',
      'closed_at',
      'items_total',
      'discount_total',
      'service_charge',
      'rounding',
      'total',
      'tips',
      'refunded',
    ],
    money: ['items_total', 'discount_total', 'service_charge', 'rounding', 'total', 'tips', 'refunded'],
    times: ['opened_at', 'closed_at'],
  },
  dishes: { names: ['item_id', 'name', 'quantity', 'amount'], money: ['amount'], times: [] },
  hours: { names: ['hour', 'orders', 'items', 'amount'], money: ['amount'], times: [] },
  stations: { names: ['station', 'items', 'median_seconds', 'p90_seconds'], money: [], times: [] },
};

/** Creates the use cases of `GET /reports/{report}`. */
export function createReports(deps: ReportDeps) {
  // Closed days hardly change. A caller that got a 503 finds what was being read for it.
  const recentOrders = createRecent<OrderedOrder[]>({ clock: deps.clock, maxKept: 8 });
  const recentWaiters = createRecent<WaiterRow[]>({ clock: deps.clock, maxKept: 8 });
  const recentFiles = createRecent<Buffer>({ clock: deps.clock, maxKept: 2 });
  /** What a row of a closed bill says changes only with a refund. */
  const versionOf = async (report: ReportName): Promise<string> =>
    report === 'bills' ? deps.closedBills.findRefundsVersion() : '';
  const ordersOf = async (days: readonly number[]): Promise<OrderedOrder[]> =>
    recentOrders(days.join(), async () => deps.ordered.findOfBills(await deps.closedBills.findIdsOfDays(days)));

  type PageOf = { below: number | undefined; limit: number };
  const rowsOf: {
    [Name in ReportName]: (days: readonly number[], page: PageOf) => Promise<ReportRows<Name>>;
  } = {
    movements: async (days, page) => (await deps.movements.listOfDays(days, page)).map(toMovementRow),
    exceptions: async (days, page) => (await deps.exceptions.listOfDays(days, page)).map(toExceptionRow),
    bills: (days, page) => deps.closedBills.listPage(days, page),
    waiters: (days) =>
      recentWaiters(days.join(), async () => {
        const read = deps.movements.read({ days, after: 0, upTo: Number.MAX_SAFE_INTEGER });
        const movements = await listInTurns(read, (movement) => movement);
        return waiterRows(movements, await deps.closedBills.sumByCloser(days));
      }),
    dishes: async (days) => dishRows(await ordersOf(days)),
    hours: async (days) => hourRows(await ordersOf(days), deps.timeZone),
    stations: async (days) => stationRows(await ordersOf(days)),
  };

  return {
    /** Returns one page of rows. @throws 422 `unprocessable_content` */
    getPage: async (report: ReportName, query: Query): Promise<Page> => {
      const days = await daysOf(deps, query);
      const { limit = 50, cursor } = query;
      const below = cursor === undefined ? undefined : Number(cursor);
      const rows = await rowsOf[report](days, { below, limit: limit + 1 });
      if (report !== 'movements' && report !== 'exceptions' && report !== 'bills') return { rows, next: null };
      const page = rows.slice(0, limit) as ReportRows<'movements'>;
      return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
    },
    /** Returns all rows as CSV. @throws 422 `unprocessable_content` */
    getCsv: async (report: ReportName, query: Query): Promise<Buffer> => {
      const days = await daysOf(deps, query);
      const isForExcel = query.excel === 'true';
      return recentFiles([report, await versionOf(report), isForExcel, ...days].join(), async () => {
        const rows = await rowsOf[report](days, { below: undefined, limit: maxReportRows + 1 });
        if (rows.length > maxReportRows)
          throw unfit('/to', `must give at most ${maxReportRows} rows: choose fewer days`);
        return toCsv(rows, columns[report], { timeZone: deps.timeZone, isForExcel });
      });
    },
  };
}

/** Returns the numbers of the days. @throws 422 `unprocessable_content` */
async function daysOf({ days }: Pick<ReportDeps, 'days'>, { from, to }: Query): Promise<number[]> {
  if (from > to) throw unfit('/from', 'must be at most `to`');
  const length = to - from + 1;
  if (length > maxReportDays) throw unfit('/to', `must be at most ${maxReportDays} days from \`from\``);
  if ((await days.countBetween(from, to)) < length) throw unfit('/to', 'must be the number of a closed day');
  return Array.from({ length }, (_, index) => from + index);
}

const unfit = (pointer: string, detail: string) =>
  problem('unprocessable_content', { errors: [{ pointer, detail, in: 'query' }] });
