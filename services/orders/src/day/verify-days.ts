import { mainCashDrawer } from '@comanda/contracts/cash-drawers';
import { closeDay, type DayReport } from '@comanda/contracts/day';
import { detailsDefects, detailsOf, type AnyDetails } from '@comanda/contracts/agreed-details';
import type { RestaurantClock } from '@comanda/contracts/restaurant-clock';
import { canonicalDigest, canonicalJson } from '@comanda/shared/crypto/canonical-digest';
import { readStatement, type PublicKeys } from '@comanda/shared/crypto/statement';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import type { CountStore } from '../cash-drawers/count-store.ts';
import { expectedIn, type CashCount } from '../cash-drawers/count.ts';
import { fromMinor, toMinor } from '../money.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import type { DayBillStore } from './day-bill-store.ts';
import { addEntries, businessDateOf, noEntries, type DayEntries, type Entry } from './day-entries.ts';
import { noPreviousHash, toDayReport } from './day-report.ts';
import type { DayStore } from './day-store.ts';
import { readEntries, type ReadEntriesDeps } from './read-entries.ts';
import type { RunningDay } from './running-day.ts';

export type VerifyDaysDeps = ReadEntriesDeps & {
  counts: Pick<CountStore, 'findOldest'>;
  counters: Pick<CounterStore, 'readDay'>;
  dayBills: Pick<DayBillStore, 'findRefundedAfterClosing' | 'sumSales'>;
  days: Pick<DayStore, 'readAll'>;
  restaurantClock: RestaurantClock;
};
type Given = {
  /** The public keys with which auth-stepup signs consents. */
  consentKeys: PublicKeys;
  /** Hashes from paper, by the number of the day. */
  hashes: ReadonlyMap<number, string>;
};
export type DayFinding = { day: number; what: string };

/** What a day follows on: the report before it, and what each cash drawer held. */
type Before = {
  report: DayReport | null;
  lastNumber: number | null;
  counts: Map<string, CashCount>;
  since: Map<string, number>;
};

/** Verifies each closed day, oldest first, with everything that is stored. Yields what is not as it was closed. */
export async function* verifyDays(deps: VerifyDaysDeps, { consentKeys, hashes }: Given): AsyncGenerator<DayFinding> {
  const running = await deps.counters.readDay();
  const mainFrom = (await deps.counts.findOldest(mainCashDrawer))?.id ?? null;
  let before: Before = { report: null, lastNumber: null, counts: new Map(), since: new Map() };
  let expected = 1;
  for await (const { number, report } of deps.days.readAll()) {
    const finding = (what: string): DayFinding => ({ day: number, what });
    if (number >= running.number) {
      // It may have been closed since the verification started.
      if (number >= (await deps.counters.readDay()).number) yield finding('it is running, but has a report');
      continue;
    }
    for (; expected < number; expected++) yield { day: expected, what: 'its report is missing' };
    expected = number + 1;
    if (report.number !== number) yield finding('its report has another number');
    const { hash, ...sealed } = report;
    if (canonicalDigest(sealed) !== hash) yield finding('its hash is not that of its report');
    const onPaper = hashes.get(number);
    if (onPaper !== undefined && onPaper !== hash) yield finding('its hash is not the one on paper');
    try {
      for (const what of consentDefects(report, consentKeys)) yield finding(what);
      const checked = await checkDay(deps, { report, before, running, mainFrom });
      for (const what of checked.defects) yield finding(what);
      before = checked.after;
    } catch (error) {
      // A field that is missing or of another type can't be compared.
      if (!(error instanceof Error) || mongoProblem(error)) throw error;
      yield finding(`its report can't be read: ${error.message}`);
      before = { ...before, report };
    }
  }
  for (; expected < running.number; expected++) yield { day: expected, what: 'its report is missing' };
  for (const number of hashes.keys()) if (number >= expected) yield { day: number, what: 'its report is missing' };
}

/** Returns why the report's consent doesn't prove that its manager approved the closing of this day. */
function consentDefects({ consent, number, previous_hash, closed_by: by }: DayReport, keys: PublicKeys): string[] {
  const claims = readStatement(consent, 'consent+jws', keys);
  if (!claims) return ['its consent is not signed by a trusted key'];
  const rule = closeDay.stepUp?.details;
  const done = rule && detailsOf(rule, { number, previous_hash });
  const [agreed, ...others] = (claims['authorization_details'] ?? []) as AnyDetails[];
  const isOfDay = rule && done && agreed && detailsDefects({ agreed, done, rules: [rule] }).length === 0;
  return [
    ...(claims['sub'] === String(by.id) ? [] : ['its consent is that of another user']),
    ...(claims['endpoint_key'] === closeDay.stepUp?.key ? [] : ['its consent is for another endpoint']),
    ...(isOfDay && others.length === 0 ? [] : ['its consent is for another day']),
  ];
}

type Checking = { report: DayReport; before: Before; running: RunningDay; mainFrom: number | null };

/** Computes the report again from what is stored, and compares each of its fields. */
async function checkDay(
  deps: VerifyDaysDeps,
  { report, before, running, mainFrom }: Checking,
): Promise<{ defects: string[]; after: Before }> {
  const day = report.number;
  const after: Before = { ...before, report, counts: new Map(before.counts), since: new Map(before.since) };
  const countDefects: string[] = [];
  const entries = await addEntries(
    noEntries(),
    checkCounts(readEntries(deps, { day }), { after, defects: countDefects }),
    {
      clock: deps.restaurantClock,
      mainFrom,
    },
  );
  // The counters have when the newest day was closed, and the last number that it gave to a bill.
  const isNewest = day === running.number - 1;
  const closedAt = isNewest ? running.openedAt : new Date(report.closed_at);
  const ownNumber = isNewest ? running.billNumberBefore : report.bills.last_number;
  const lastNumber = ownNumber ?? before.lastNumber ?? 0;
  const numberBefore = before.lastNumber ?? (report.bills.first_number ?? lastNumber + 1) - 1;
  after.lastNumber = report.bills.last_number ?? before.lastNumber;
  const sales = await deps.dayBills.sumSales(day);
  const refunded = await deps.dayBills.findRefundedAfterClosing(entries.refunded);
  const refundedMinor = refunded.reduce((sum, { payment }) => sum + payment.amountMinor, 0);
  const beforeMinor = before.report ? toMinor(before.report.unsettled.after) : running.marks.unsettledMinor;
  const computed = toDayReport({
    day: {
      number: day,
      openedAt: before.report ? new Date(before.report.closed_at) : new Date(report.opened_at),
      billNumberBefore: numberBefore,
      last: { billNumber: lastNumber },
    },
    businessDate: businessDateOf(entries.dates, closedAt.getTime(), deps.restaurantClock),
    closedAt,
    closedBy: report.closed_by,
    note: report.note,
    sales,
    entries,
    refundedAfterClosingMinor: refundedMinor,
    unsettled: { beforeMinor, afterMinor: beforeMinor + takenOf(entries) - sales.totalMinor + refundedMinor },
    countsBefore: before.counts,
    carriedOver: report.carried_over.bills,
    consent: report.consent,
    previousHash: before.report?.hash ?? noPreviousHash,
  });
  const stored: Record<string, unknown> = report;
  const names = new Set([...Object.keys(computed), ...Object.keys(report)]);
  names.delete('hash');
  // The settings that gave an older date may have changed since. The PIN of the day after seals it.
  if (!isNewest) names.delete('business_date');
  const differing = [...names].filter(
    (name) => canonicalJson(stored[name]) !== canonicalJson((computed as Record<string, unknown>)[name]),
  );
  return { defects: [...countDefects, ...differing.map((name) => `its ${name} is not what is stored`)], after };
}

const takenOf = ({ payments, refunds }: DayEntries): number =>
  [...payments.values()].reduce((sum, { amountMinor }) => sum + amountMinor, 0) -
  [...refunds.values()].reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** Passes the entries on, and compares each count with what moved in its cash drawer since the count before. */
async function* checkCounts(
  entries: AsyncIterable<Entry>,
  { after: { counts, since }, defects }: { after: Before; defects: string[] },
): AsyncGenerator<Entry> {
  for await (const each of entries) {
    if (each.of === 'movement') {
      const { cashDrawer, amountMinor, tipMinor } = each.entry;
      if (cashDrawer !== null) since.set(cashDrawer, (since.get(cashDrawer) ?? 0) + amountMinor + tipMinor);
    } else if (each.of === 'count') {
      const { id, cashDrawer, expectedMinor, countedMinor, leftMinor } = each.entry;
      // The count's own movements have lower ids: they take out what isn't left, and make up for the difference.
      const movedMinor = since.get(cashDrawer) ?? 0;
      const last = counts.get(cashDrawer) ?? null;
      const held = expectedIn(cashDrawer, { last, movedMinor });
      const isRight = held === null ? expectedMinor === null : expectedMinor !== null && held === leftMinor;
      if (!isRight)
        defects.push(
          `its count ${id} expects ${expectedMinor === null ? 'nothing' : fromMinor(expectedMinor)}, which is not what moved`,
        );
      if (leftMinor > countedMinor) defects.push(`its count ${id} leaves more than was counted`);
      counts.set(cashDrawer, each.entry);
      since.set(cashDrawer, 0);
    }
    yield each;
  }
}
