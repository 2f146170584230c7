import { mainCashDrawer } from '@comanda/contracts/cash-drawers';
import type { DayReport, Takings } from '@comanda/contracts/day';
import { canonicalDigest } from '@comanda/shared/crypto/canonical-digest';
import { toCountRow, type CashCount } from '../cash-drawers/count.ts';
import type { Person } from '../cash-drawers/movement.ts';
import { fromMinor } from '../money.ts';
import type { DayEntries, Moved } from './day-entries.ts';
import type { Sales } from './day-bill-store.ts';
import type { RunningDay } from './running-day.ts';

export const noPreviousHash = '0'.repeat(64);

/** Everything that a report states. Amounts are in minor units. */
export type DayFacts = {
  day: Pick<RunningDay, 'number' | 'openedAt' | 'billNumberBefore'> & { last: { billNumber: number } };
  businessDate: string;
  closedAt: Date;
  closedBy: Person;
  note: string | null;
  sales: Sales;
  entries: DayEntries;
  refundedAfterClosingMinor: number;
  unsettled: { beforeMinor: number; afterMinor: number };
  /** The last count of each cash drawer before this day, by name. */
  countsBefore: ReadonlyMap<string, Pick<CashCount, 'leftMinor'>>;
  carriedOver: readonly number[];
  consent: string;
  previousHash: string;
};

/** Returns the report of a closed day, with its hash. */
export function toDayReport(facts: DayFacts): DayReport {
  const { day, sales, entries, unsettled } = facts;
  const { billNumberBefore, last } = day;
  const hasNumbers = last.billNumber > billNumberBefore;
  const report: Omit<DayReport, 'hash'> = {
    number: day.number,
    business_date: facts.businessDate,
    opened_at: day.openedAt.toISOString(),
    closed_at: facts.closedAt.toISOString(),
    closed_by: facts.closedBy,
    note: facts.note,
    bills: {
      count: sales.count,
      first_number: hasNumbers ? billNumberBefore + 1 : null,
      last_number: hasNumbers ? last.billNumber : null,
    },
    sales: {
      items_total: fromMinor(sales.itemsTotalMinor),
      discount_total: fromMinor(sales.discountTotalMinor),
      service_charge: fromMinor(sales.serviceChargeMinor),
      rounding: fromMinor(sales.roundingMinor),
      total: fromMinor(sales.totalMinor),
    },
    payments: toTakings(entries.payments),
    refunds: toTakings(entries.refunds),
    refunded_after_closing: fromMinor(facts.refundedAfterClosingMinor),
    unsettled: { before: fromMinor(unsettled.beforeMinor), after: fromMinor(unsettled.afterMinor) },
    cash_drawers: cashDrawersOf(facts),
    exceptions: [...entries.exceptions]
      .toSorted(([first], [second]) => (first < second ? -1 : 1))
      .map(([kind, { count, amountMinor }]) => ({ kind, count, amount: fromMinor(amountMinor) })),
    carried_over: { count: facts.carriedOver.length, bills: [...facts.carriedOver] },
    entries_hash: entries.hash.copy().digest('hex'),
    consent: facts.consent,
    previous_hash: facts.previousHash,
  };
  return { ...report, hash: canonicalDigest(report) };
}

/** Returns the rows sorted by method and by who confirmed. */
export const toTakings = (rows: ReadonlyMap<string, Moved>): Takings[] =>
  [...rows]
    .toSorted(([first], [second]) => (first < second ? -1 : 1))
    .map(([, { method, confirmedBy, count, amountMinor, tipsMinor }]) => ({
      method,
      confirmed_by: confirmedBy,
      count,
      amount: fromMinor(amountMinor),
      tips: fromMinor(tipsMinor),
    }));

function cashDrawersOf({ entries, countsBefore }: DayFacts): DayReport['cash_drawers'] {
  const names = new Set([...entries.sums.keys(), ...entries.counts.map(({ cashDrawer }) => cashDrawer)]);
  return [...names].toSorted().map((name) => {
    const counts = entries.counts.filter(({ cashDrawer }) => cashDrawer === name);
    const sums = [...(entries.sums.get(name) ?? [])].filter(([, minor]) => minor !== 0);
    // Before its first count, `main` holds something unknown: that count is the opening.
    const first = name === mainCashDrawer ? (counts[0]?.leftMinor ?? 0) : 0;
    const opening = countsBefore.get(name)?.leftMinor ?? first;
    return {
      name,
      opening: fromMinor(opening),
      sums: Object.fromEntries(sums.map(([kind, minor]) => [kind, fromMinor(minor)])),
      left: fromMinor(counts.at(-1)?.leftMinor ?? opening),
      counts: counts.map((count) => toCountRow(count, { isManager: true })),
    };
  });
}
