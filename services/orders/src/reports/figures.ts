import { billAmounts } from '@comanda/contracts/bill-amounts';
import { problem } from '@comanda/contracts/problem';
import { businessDayOf, type RestaurantClock } from '@comanda/contracts/restaurant-clock';
import type { Figures, FiguresBefore, getDayFigures as contract } from '@comanda/contracts/reports';
import { defaultStation } from '@comanda/contracts/rules';
import type { Call } from '@comanda/shared/http/api';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { BillStore } from '../bills/bill-store.ts';
import { stateOf } from '../bills/bill.ts';
import type { CountStore } from '../cash-drawers/count-store.ts';
import type { MovementStore } from '../cash-drawers/movement-store.ts';
import type { Movement } from '../cash-drawers/movement.ts';
import type { DayBillStore } from '../day/day-bill-store.ts';
import { addEntries, businessDateOf, noEntries, type Entry } from '../day/day-entries.ts';
import { toTakings } from '../day/day-report.ts';
import type { DayStore } from '../day/day-store.ts';
import type { ExceptionStore } from '../exceptions/exception-store.ts';
import type { MenuStore } from '../menu/menu-store.ts';
import { fromMinor } from '../money.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import type { SettingsStore } from '../restaurant/settings-store.ts';
import type { StationStore } from '../stations/station-store.ts';
import type { ClosedBillStore } from './closed-bill-store.ts';
import type { OrderedStore } from './ordered-store.ts';
import { dishRows, hourRows, lateOf, stationRows, type Limits } from './ordered.ts';
import { exceptionSums, waiterRows } from './people.ts';
import type { DayStart, StatisticsStore } from './statistics-store.ts';

export type FiguresDeps = {
  bills: Pick<BillStore, 'findMany'>;
  closedBills: Pick<ClosedBillStore, 'countOfDays' | 'sumByCloser' | 'sumCovers'>;
  counters: Pick<CounterStore, 'readDay'>;
  counts: Pick<CountStore, 'findAllNewest'>;
  dayBills: Pick<DayBillStore, 'findOpenWithLines'>;
  days: Pick<DayStore, 'find' | 'findNewestOfWeekday'>;
  exceptions: Pick<ExceptionStore, 'read'>;
  menu: Pick<MenuStore, 'getAll'>;
  movements: Pick<MovementStore, 'read'>;
  ordered: Pick<OrderedStore, 'findBetween'>;
  settings: Pick<SettingsStore, 'get'>;
  stations: Pick<StationStore, 'find'>;
  statistics: Pick<StatisticsStore, 'find' | 'setFigures'>;
  restaurantClock: RestaurantClock & { timeZone: string };
  clock: Clock;
};

const maxDishes = 20;
const everything = Number.MAX_SAFE_INTEGER;

/** `GET /day/figures`: returns the running day's figures, or a closed day's. @throws 404 `not_found` */
export async function getFigures(
  deps: FiguresDeps,
  { query: { number } }: Pick<Call<typeof contract>, 'query'>,
): Promise<Figures> {
  if (number !== undefined) {
    const [figures, report] = [await closedFigures(deps, number), await deps.days.find(number)];
    if (!figures || !report) throw problem('not_found');
    return { ...figures, before: await figuresBefore(deps, { date: report.business_date, below: number }) };
  }
  const day = await deps.counters.readDay();
  const { count, remaining } = await openBills(deps);
  const running = { open: { count, remaining }, orders: { after: day.orderIdBefore, upTo: everything } };
  const [figures, dates] = await figuresOf(deps, { day: day.number, ...running });
  const date = businessDateOf(dates, deps.clock(), deps.restaurantClock);
  return { ...figures, before: await figuresBefore(deps, { date, below: day.number }) };
}

/** Returns the number of open bills with lines, and what is left to pay of them. */
export async function openBills({
  dayBills,
  bills,
}: Pick<FiguresDeps, 'dayBills' | 'bills'>): Promise<DayStart['open']> {
  const open = await bills.findMany(await dayBills.findOpenWithLines());
  const remaining = open.reduce((sum, each) => sum + billAmounts(stateOf(each)).remaining, 0n);
  return { count: open.length, remaining: fromMinor(remaining) };
}

/** Returns a closed day's figures. The first call computes and stores them. Null if the day isn't closed. */
async function closedFigures(deps: FiguresDeps, number: number): Promise<FiguresBefore | null> {
  const stored = await deps.statistics.find(number);
  if (!stored) return null;
  if (stored.figures) return stored.figures;
  const [figures] = await figuresOf(deps, { day: number, open: stored.open, orders: stored.orders });
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

async function figuresOf(
  deps: FiguresDeps,
  { day, open, orders }: DayStart & { day: number },
): Promise<[FiguresBefore, ReadonlyMap<string, number>]> {
  const { restaurantClock } = deps;
  const range = { days: [day], after: 0, upTo: everything };
  const ordered = await deps.ordered.findBetween(orders);
  const movements = await deps.movements.read(range).toArray();
  const exceptions = await deps.exceptions.read(range).toArray();
  const counts = await deps.counts.findAllNewest();
  // Until it is counted, cash must not be known: the sum would tell what the cash drawer should hold.
  const known = movements.filter(({ id, method, cashDrawer }) => {
    if (method !== 'cash') return true;
    return cashDrawer !== null && id < (counts.get(cashDrawer)?.id ?? 0);
  });
  const { payments } = await addEntries(noEntries(), entriesOf(known), { clock: restaurantClock, mainFrom: null });
  const figures: FiguresBefore = {
    bills: { closed: await deps.closedBills.countOfDays([day]), open: open.count, remaining: open.remaining },
    guests: await deps.closedBills.sumCovers(day, { withOpen: orders.upTo === everything }),
    late: lateOf(ordered, await limitsNow(deps)),
    hours: hourRows(ordered, restaurantClock.timeZone),
    dishes: dishRows(ordered).slice(0, maxDishes),
    stations: stationRows(ordered),
    payments: toTakings(payments),
    tips: toTakings(payments).flatMap(({ method, confirmed_by, tips: amount }) =>
      amount === '0.00' ? [] : [{ method, confirmed_by, amount }],
    ),
    waiters: waiterRows(known, await deps.closedBills.sumByCloser([day])),
    exceptions: exceptionSums(exceptions),
  };
  return [figures, datesOf(movements, restaurantClock)];
}

async function* entriesOf(movements: readonly Movement[]): AsyncGenerator<Entry> {
  for (const entry of movements) yield { of: 'movement', entry };
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

async function limitsNow({
  menu,
  stations,
  settings,
}: Pick<FiguresDeps, 'menu' | 'stations' | 'settings'>): Promise<Limits> {
  const [dishes, all, managed] = [await menu.getAll(), await stations.find(), await settings.get()];
  return {
    categoryOf: new Map(dishes.map(({ id, category }) => [id, category])),
    stations: new Map(all.map((each) => [each.station, each])),
    categories: [...managed.categoryLimits],
    usual: { ...defaultStation, dishes: [] },
  };
}
