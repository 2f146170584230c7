import { billAmounts } from '@comanda/contracts/bill-amounts';
import { problem } from '@comanda/contracts/problem';
import { businessDayOf, type RestaurantClock } from '@comanda/contracts/restaurant-clock';
import type { Figures, FiguresBefore, getDayFigures as contract } from '@comanda/contracts/reports';
import type { Call } from '@comanda/shared/http/api';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { BillStore } from '../bills/bill-store.ts';
import { stateOf } from '../bills/bill.ts';
import type { CountStore } from '../cash-drawers/count-store.ts';
import type { MovementStore } from '../cash-drawers/movement-store.ts';
import type { Movement } from '../cash-drawers/movement.ts';
import { addEntries, businessDateOf, noEntries, type Entry } from '../day/day-entries.ts';
import { toTakings } from '../day/day-report.ts';
import type { DayStore } from '../day/day-store.ts';
import type { OpenBills } from '../day/open-bills.ts';
import type { RunningDay } from '../day/running-day.ts';
import type { ExceptionStore } from '../exceptions/exception-store.ts';
import { inTurns, listInTurns } from '../in-turns.ts';
import { fromMinor } from '../money.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import type { ClosedBillStore } from './closed-bill-store.ts';
import type { OrderedStore } from './ordered-store.ts';
import { readLateMinutes, type LateLimitsDeps } from './late-limits.ts';
import { dishRows, hourRows, lateOf, stationRows } from './ordered.ts';
import { exceptionSums, waiterRows } from './people.ts';
import type { DayStart, StatisticsStore } from './statistics-store.ts';

export type FiguresDeps = LateLimitsDeps & {
  bills: Pick<BillStore, 'findMany'>;
  closedBills: Pick<ClosedBillStore, 'countOfDay' | 'sumByCloser' | 'sumCoversOf' | 'sumCoversOfDay'>;
  counters: Pick<CounterStore, 'readDay'>;
  counts: Pick<CountStore, 'findAllNewest'>;
  days: Pick<DayStore, 'find' | 'findNewestOfWeekday'>;
  exceptions: Pick<ExceptionStore, 'readNewest'>;
  movements: Pick<MovementStore, 'readNewest'>;
  openBills: OpenBills;
  ordered: Pick<OrderedStore, 'findBetween'>;
  statistics: Pick<StatisticsStore, 'find' | 'setFigures'>;
  restaurantClock: RestaurantClock & { timeZone: string };
  clock: Clock;
};

const maxDishes = 20;
const everything = Number.MAX_SAFE_INTEGER;
/** Of a day that is not closed for weeks, only the newest orders, bills and entries are read. */
const maxOrders = 10_000;
const maxEntries = 20_000;

/** `GET /day/figures`: returns the running day's figures, or a closed day's. @throws 404 `not_found` */
export async function getFigures(
  deps: FiguresDeps,
  { query: { number } }: Pick<Call<typeof contract>, 'query'>,
): Promise<Figures> {
  if (number !== undefined) {
    const [figures, report] = await Promise.all([closedFigures(deps, number), deps.days.find(number)]);
    if (!figures || !report) throw problem('not_found');
    return { ...figures, before: await figuresBefore(deps, { date: report.business_date, below: number }) };
  }
  const day = await deps.counters.readDay();
  const orders = { after: day.orderIdBefore, upTo: day.last.orderId };
  const [open, [figures, dates]] = await Promise.all([
    openRemaining(deps),
    figuresOf(deps, { day, orders, isRunning: true }),
  ]);
  const date = businessDateOf(dates, deps.clock(), deps.restaurantClock);
  const bills = { ...figures.bills, open: open.count, remaining: open.remaining };
  return { ...figures, bills, before: await figuresBefore(deps, { date, below: day.number }) };
}

/** Returns the number of open bills with lines, and what is left to pay of them. */
export async function openRemaining({
  openBills,
  bills,
}: Pick<FiguresDeps, 'openBills' | 'bills'>): Promise<DayStart['open']> {
  const open = await bills.findMany(await openBills.findWithLines());
  const remaining = open.reduce((sum, each) => sum + billAmounts(stateOf(each)).remaining, 0n);
  return { count: open.length, remaining: fromMinor(remaining) };
}

/**
 * Returns a closed day's figures; null if the day isn't closed. They are stored after the closing. If that failed, the first call
 * computes and stores them.
 */
export async function closedFigures(deps: FiguresDeps, number: number): Promise<FiguresBefore | null> {
  const stored = await deps.statistics.find(number);
  if (!stored || stored.figures) return stored?.figures ?? null;
  const before = number === 1 ? null : await deps.days.find(number - 1);
  const openedAt = new Date(before?.closed_at ?? 0);
  const [computed] = await figuresOf(deps, { day: { number, openedAt }, orders: stored.orders, isRunning: false });
  const { count, remaining } = stored.open;
  const figures = { ...computed, bills: { ...computed.bills, open: count, remaining } };
  await deps.statistics.setFigures(number, figures);
  return figures;
}

async function figuresBefore(
  deps: FiguresDeps,
  { date, below }: { date: string; below: number },
): Promise<FiguresBefore | null> {
  const before = await deps.days.findNewestOfWeekday(date, below);
  return before === null ? null : closedFigures(deps, before);
}

type OfDay = Pick<DayStart, 'orders'> & { day: Pick<RunningDay, 'number' | 'openedAt'>; isRunning: boolean };
/** Returns the figures of what was done in a day, without its open bills, and how many payments each house date has. */
async function figuresOf(
  deps: FiguresDeps,
  { day: { number, openedAt }, orders: { after, upTo }, isRunning }: OfDay,
): Promise<[FiguresBefore, ReadonlyMap<string, number>]> {
  const { restaurantClock } = deps;
  // Orders that are placed in the meantime are in the figures of the running day too.
  const orders = { after: Math.max(after, upTo - maxOrders), upTo: isRunning ? everything : upTo };
  const newest = { atMost: maxEntries };
  const [ordered, movements, exceptions, counts, closed, guests, closers, lateMinutes] = await Promise.all([
    deps.ordered.findBetween(orders),
    listOldestFirst(deps.movements.readNewest(number, newest)),
    listOldestFirst(deps.exceptions.readNewest(number, newest)),
    deps.counts.findAllNewest(),
    deps.closedBills.countOfDay(number, { atMost: maxOrders }),
    sumGuests(deps, { number, isRunning }),
    deps.closedBills.sumByCloser([number], { atMost: maxOrders }),
    readLateMinutes(deps, openedAt),
  ]);
  // Until it is counted, cash must not be known: the sum would tell what the cash drawer should hold.
  const known = movements.filter(({ id, method, cashDrawer }) => {
    if (method !== 'cash') return true;
    return cashDrawer !== null && id < (counts.get(cashDrawer)?.id ?? 0);
  });
  const { payments } = await addEntries(noEntries(), entriesOf(known), { clock: restaurantClock, mainFrom: null });
  const takings = toTakings(payments);
  const figures: FiguresBefore = {
    bills: { closed, open: 0, remaining: '0.00' },
    guests,
    late: lateOf(ordered, lateMinutes),
    hours: hourRows(ordered, restaurantClock.timeZone),
    dishes: dishRows(ordered).slice(0, maxDishes),
    stations: stationRows(ordered),
    payments: takings,
    tips: takings.flatMap(({ method, confirmed_by, tips: amount }) =>
      amount === '0.00' ? [] : [{ method, confirmed_by, amount }],
    ),
    waiters: waiterRows(known, closers),
    exceptions: exceptionSums(exceptions),
  };
  return [figures, datesOf(movements, restaurantClock)];
}

const listOldestFirst = async <T>(newestFirst: AsyncIterable<T>): Promise<T[]> =>
  (await listInTurns(newestFirst, (row) => row)).toReversed();

/** Open bills without lines don't count: they stay open for days. */
const sumGuests = async (
  { closedBills, openBills }: Pick<FiguresDeps, 'closedBills' | 'openBills'>,
  { number, isRunning }: { number: number; isRunning: boolean },
): Promise<number | null> => {
  const ofClosed = await closedBills.sumCoversOfDay(number, { atMost: maxOrders });
  const ofOpen = isRunning ? await closedBills.sumCoversOf(await openBills.findWithLines()) : null;
  return ofClosed === null && ofOpen === null ? null : (ofClosed ?? 0) + (ofOpen ?? 0);
};

async function* entriesOf(movements: readonly Movement[]): AsyncGenerator<Entry> {
  for await (const entry of inTurns(movements)) yield { of: 'movement', entry };
}

function datesOf(movements: readonly Movement[], clock: RestaurantClock): Map<string, number> {
  const dates = new Map<string, number>();
  for (const { kind, at } of movements) {
    if (kind !== 'payment') continue;
    const date = businessDayOf(at.getTime(), clock);
    dates.set(date, (dates.get(date) ?? 0) + 1);
  }
  return dates;
}
