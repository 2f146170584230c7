import type { RunningDay as RunningDayRow } from '@comanda/contracts/day';
import { billAmounts } from '@comanda/contracts/bill-amounts';
import { businessDayOf, type RestaurantClock } from '@comanda/contracts/restaurant-clock';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { BillStore } from '../bills/bill-store.ts';
import { stateOf } from '../bills/bill.ts';
import { findStates, type CashDrawerStates } from '../cash-drawers/list-cash-drawers.ts';
import type { MovementStore } from '../cash-drawers/movement-store.ts';
import { fromMinor } from '../money.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import { businessDateOf } from './day-entries.ts';
import { noPreviousHash } from './day-report.ts';
import type { DayStore } from './day-store.ts';
import type { OpenBills } from './open-bills.ts';

export type GetDayDeps = CashDrawerStates & {
  counters: Pick<CounterStore, 'readDay'>;
  movements: Pick<MovementStore, 'findPaymentTimes'>;
  openBills: OpenBills;
  bills: Pick<BillStore, 'findMany'>;
  days: Pick<DayStore, 'find'>;
  restaurantClock: RestaurantClock;
  clock: Clock;
};

const maxOpenBills = 200;
/** Of a day that is not closed for weeks, the date is that of its newest payments. */
const maxPayments = 20_000;

/** `GET /day`: returns the running day. It says nothing of what should be in the cash drawers. */
export async function getDay(deps: GetDayDeps): Promise<RunningDayRow> {
  const { restaurantClock } = deps;
  const now = deps.clock();
  const { number, openedAt } = await deps.counters.readDay();
  const previous = number === 1 ? null : await deps.days.find(number - 1);
  const dates = new Map<string, number>();
  for (const at of await deps.movements.findPaymentTimes(number, { atMost: maxPayments })) {
    const date = businessDayOf(at.getTime(), restaurantClock);
    dates.set(date, (dates.get(date) ?? 0) + 1);
  }
  const businessDate = businessDateOf(dates, now, restaurantClock);
  const open = await deps.openBills.findWithLines();
  const bills = await deps.bills.findMany(open.slice(0, maxOpenBills));
  return {
    number,
    business_date: businessDate,
    opened_at: openedAt.toISOString(),
    overdue: businessDate < businessDayOf(now, restaurantClock),
    previous_hash: previous?.hash ?? noPreviousHash,
    open_bills: bills.map((each) => ({
      id: each.bill.id,
      table: each.bill.table,
      created_at: each.bill.createdAt.toISOString(),
      remaining: fromMinor(billAmounts(stateOf(each)).remaining),
    })),
    open_bill_count: open.length,
    cash_drawers: (await findStates(deps)).map(({ name, moved }) => ({ name, moved })),
  };
}
