import { createHash, type Hash } from 'node:crypto';
import { mainCashDrawer, type MovementKind } from '@comanda/contracts/cash-drawers';
import type { ExceptionKind } from '@comanda/contracts/exceptions';
import { businessDayOf, type RestaurantClock } from '@comanda/contracts/restaurant-clock';
import { canonicalJson } from '@comanda/shared/crypto/canonical-digest';
import { toCountRow, type CashCount } from '../cash-drawers/count.ts';
import { toMovementRow, type Movement } from '../cash-drawers/movement.ts';
import type { Exception } from '../exceptions/exception.ts';
import { toExceptionRow } from '../exceptions/list-exceptions.ts';

/** Movements, counts and exceptions share one counter of ids. */
export type Entry =
  | { of: 'movement'; entry: Movement }
  | { of: 'count'; entry: CashCount }
  | { of: 'exception'; entry: Exception };
/** What moved in one way, in minor units. */
export type Moved = {
  method: Movement['method'];
  confirmedBy: Movement['confirmedBy'];
  count: number;
  amountMinor: number;
  tipsMinor: number;
};
/** What a day's entries add up to. */
export type DayEntries = {
  /** The SHA-256 of the entries so far. */
  hash: Hash;
  payments: ReadonlyMap<string, Moved>;
  refunds: ReadonlyMap<string, Moved>;
  /** The refunds, for those that stand on closed bills. */
  refunded: readonly { billId: number; paymentId: number }[];
  /** The sums of each cash drawer by kind of movement, with tips. */
  sums: ReadonlyMap<string, ReadonlyMap<MovementKind, number>>;
  counts: readonly CashCount[];
  exceptions: ReadonlyMap<ExceptionKind, { count: number; amountMinor: number }>;
  /** How many payments each house date has. */
  dates: ReadonlyMap<string, number>;
};

export const noEntries = (): DayEntries => ({
  hash: createHash('sha256'),
  payments: new Map(),
  refunds: new Map(),
  refunded: [],
  sums: new Map(),
  counts: [],
  exceptions: new Map(),
  dates: new Map(),
});

/** `mainFrom`: the id of the first count of `main`, which holds something unknown before; null if it was never counted. */
type Adding = { clock: RestaurantClock; mainFrom: number | null };

/** Returns what entries add up to, with those `before`. The entries are sorted by id and come after `before`. */
export async function addEntries(
  before: DayEntries,
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  { clock, mainFrom }: Adding,
): Promise<DayEntries> {
  const hash = before.hash.copy();
  const [payments, refunds, exceptions] = [
    new Map(before.payments),
    new Map(before.refunds),
    new Map(before.exceptions),
  ];
  const [refunded, counts, dates] = [[...before.refunded], [...before.counts], new Map(before.dates)];
  const sums = new Map([...before.sums].map(([name, byKind]) => [name, new Map(byKind)]));
  for await (const each of entries) {
    hash.update(`${canonicalJson(rowOf(each))}\n`);
    if (each.of === 'count') counts.push(each.entry);
    else if (each.of === 'exception') {
      const { kind, amountMinor } = each.entry;
      const { count = 0, amountMinor: sum = 0 } = exceptions.get(kind) ?? {};
      exceptions.set(kind, { count: count + 1, amountMinor: sum + amountMinor });
    } else {
      const { entry } = each;
      if (entry.kind === 'payment') {
        addTo(payments, entry, 1);
        const date = businessDayOf(entry.at.getTime(), clock);
        dates.set(date, (dates.get(date) ?? 0) + 1);
      }
      if (entry.kind === 'refund') {
        addTo(refunds, entry, -1);
        refunded.push({ billId: entry.billId ?? 0, paymentId: entry.paymentId ?? 0 });
      }
      const { cashDrawer, kind } = entry;
      if (cashDrawer === null) continue;
      const byKind = sums.get(cashDrawer) ?? new Map<MovementKind, number>();
      sums.set(cashDrawer, byKind);
      if (cashDrawer === mainCashDrawer && (mainFrom === null || entry.id < mainFrom)) continue;
      byKind.set(kind, (byKind.get(kind) ?? 0) + entry.amountMinor + entry.tipMinor);
    }
  }
  return { hash, payments, refunds, refunded, sums, counts, exceptions, dates };
}

/** Returns an entry as a manager reads it. */
function rowOf({ of, entry }: Entry): object {
  if (of === 'movement') return toMovementRow(entry);
  return of === 'count' ? toCountRow(entry, { isManager: true }) : toExceptionRow(entry);
}

function addTo(rows: Map<string, Moved>, { method, confirmedBy, amountMinor, tipMinor }: Movement, sign: 1 | -1): void {
  const key = `${method} ${confirmedBy ?? ''}`;
  const before = rows.get(key) ?? { method, confirmedBy, count: 0, amountMinor: 0, tipsMinor: 0 };
  rows.set(key, {
    ...before,
    count: before.count + 1,
    amountMinor: before.amountMinor + sign * amountMinor,
    tipsMinor: before.tipsMinor + sign * tipMinor,
  });
}

/** Returns the date of most of a day's payments; of several, the earliest. Without payments, returns the date of `now`. */
export function businessDateOf(dates: ReadonlyMap<string, number>, now: number, clock: RestaurantClock): string {
  const most = Math.max(0, ...dates.values());
  if (most === 0) return businessDayOf(now, clock);
  return [...dates].flatMap(([date, count]) => (count === most ? date : [])).toSorted()[0] ?? '';
}
