import type { Session } from '@comanda/shared/mongo/transactions';
import type { UnitOfWork } from '@comanda/shared/service/unit-of-work';
import type { BillStore } from '../bills/bill-store.ts';
import { closingOf } from '../bills/bill-rules.ts';
import type { Closing, Payment } from '../bills/bill.ts';
import type { MovementStore } from '../cash-drawers/movement-store.ts';
import { movementOfPayment, movementOfRefund } from '../cash-drawers/movements-of-step.ts';
import type { NewMovement, Person } from '../cash-drawers/movement.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import type { DayBillStore, PaymentRef } from './day-bill-store.ts';
import type { DayMarks, RunningDay } from './running-day.ts';

export type MissingDeps = {
  bills: Pick<BillStore, 'findAll'>;
  dayBills: DayBillStore;
  movements: Pick<MovementStore, 'findOfPayments' | 'insert'>;
  counters: Pick<CounterStore, 'takeEntryIds'>;
};
/** What an instance of the last release has written without its movements or day, and where the next search starts. */
export type Missing = {
  payments: readonly PaymentRef[];
  refunds: readonly PaymentRef[];
  bills: readonly number[];
  marks: DayMarks;
};

/** Finds what is missing since the marks. It only reads, so no other write waits for it. */
export async function findMissing(
  { dayBills, movements }: Pick<MissingDeps, 'dayBills' | 'movements'>,
  { marks, last, now, session }: { marks: DayMarks; last: RunningDay['last']; now: Date; session: Session },
): Promise<Missing> {
  const paid = await dayBills.findPaid(marks, session);
  const refunded = await dayBills.findRefunded(marks, session);
  const bills = await dayBills.findWithoutDay(marks, session);
  const next: DayMarks = {
    ...marks,
    paymentId: last.paymentId,
    inFlight: await dayBills.findInFlight(session),
    billNumber: last.billNumber,
    openNumbered: await dayBills.findOpenNumbered(session),
    refundsSince: now,
  };
  return {
    payments: await withoutMovement(movements, { found: paid, kind: 'payment', session }),
    refunds: await withoutMovement(movements, { found: refunded, kind: 'refund', session }),
    bills,
    marks: next,
  };
}

type Found = { found: readonly PaymentRef[]; kind: 'payment' | 'refund'; session: Session };
async function withoutMovement(
  movements: Pick<MovementStore, 'findOfPayments'>,
  { found, kind, session }: Found,
): Promise<PaymentRef[]> {
  const entered = await movements.findOfPayments(
    found.map(({ paymentId }) => paymentId),
    { kind, session },
  );
  return found.filter(({ paymentId }) => !entered.has(paymentId));
}

type ToEnter = Pick<Missing, 'payments' | 'refunds' | 'bills'>;

/** The most that is entered while other writes wait. */
const maxAtOnce = 100;
export const areMany = ({ payments, refunds, bills }: ToEnter): boolean =>
  payments.length + refunds.length + bills.length > maxAtOnce;

/** Divides what is missing into parts that are entered one after the other, payments before refunds. */
function partsOf({ payments, refunds, bills }: ToEnter): ToEnter[] {
  const parts: ToEnter[] = [];
  const none: ToEnter = { payments: [], refunds: [], bills: [] };
  const chunks = <T>(list: readonly T[]): T[][] =>
    Array.from({ length: Math.ceil(list.length / maxAtOnce) }, (_, at) =>
      list.slice(at * maxAtOnce, (at + 1) * maxAtOnce),
    );
  for (const chunk of chunks(payments)) parts.push({ ...none, payments: chunk });
  for (const chunk of chunks(refunds)) parts.push({ ...none, refunds: chunk });
  for (const chunk of chunks(bills)) parts.push({ ...none, bills: chunk });
  return parts;
}

/** Enters what is missing in several short transactions of their own, so that no other write waits for long. */
export async function enterInParts(
  deps: MissingDeps,
  { found, writes }: { found: Missing; writes: Pick<UnitOfWork, 'run'> },
): Promise<void> {
  for (const part of partsOf(found))
    await writes.run(async (session) => {
      const { number: day } = await deps.counters.takeEntryIds(1, session);
      await enter(deps, { ...part, day, session });
      return { value: null, records: [], events: [] };
    });
}

/**
 * Enters what is missing, in a transaction that has taken the counters. `found`: what was found before the transaction. What was
 * written since is searched for again, from there on.
 */
export async function enterMissing(
  deps: MissingDeps,
  { found, day, now, session }: { found: Missing; day: RunningDay; now: Date; session: Session },
): Promise<DayMarks> {
  const since = await findMissing(deps, { marks: found.marks, last: day.last, now, session });
  const all = {
    payments: [...found.payments, ...since.payments],
    refunds: [...found.refunds, ...since.refunds],
    bills: [...new Set([...found.bills, ...since.bills])],
  };
  await enter(deps, { ...all, day: day.number, session });
  return since.marks;
}

/** Enters these payments, refunds and bills, except those that were entered in the meantime. */
async function enter(
  deps: MissingDeps,
  { payments, refunds, bills, day, session }: ToEnter & { day: number; session: Session },
): Promise<void> {
  const still = async (found: readonly PaymentRef[], kind: 'payment' | 'refund') =>
    deps.dayBills.findPayments(await withoutMovement(deps.movements, { found, kind, session }), session);
  const paid = await still(payments, 'payment');
  const refunded = await still(refunds, 'refund');
  const entered = [
    ...paid.map(({ billId, payment }) => movementOfPayment(payment, { billId, ...ofPayment(payment) })),
    ...refunded.map(({ billId, payment }) => movementOfRefund(payment, { billId, ...ofRefund(payment) })),
  ];
  await insertEntered(deps, { entered, session });
  await enterClosings(deps, { ids: bills, day, session });
}

const personOf = ({ id, name, role }: Payment['recordedBy']): Person | null =>
  role === 'customer' ? null : { id, name };
const ofPayment = ({ settledAt, createdAt, recordedBy }: Payment) => ({
  at: settledAt ?? createdAt,
  by: personOf(recordedBy),
});
const ofRefund = ({ refundedAt, createdAt, refund, recordedBy }: Payment) => ({
  at: refundedAt ?? createdAt,
  by: personOf(refund?.by ?? recordedBy),
});

async function insertEntered(
  { counters, movements }: Pick<MissingDeps, 'counters' | 'movements'>,
  { entered, session }: { entered: readonly NewMovement[]; session: Session },
): Promise<void> {
  if (entered.length === 0) return;
  const { number: day, last } = await counters.takeEntryIds(entered.length, session);
  await movements.insert(entered, { idBefore: last.entryId, day, session });
}

/** Stores the day and the sums of bills that an earlier release closed. */
async function enterClosings(
  { bills, dayBills }: Pick<MissingDeps, 'bills' | 'dayBills'>,
  { ids, day, session }: { ids: readonly number[]; day: number; session: Session },
): Promise<void> {
  if (ids.length === 0) return;
  const closers = await dayBills.findClosers(ids, session);
  for (const each of await bills.findAll({ ids, seatings: [], requestKeys: [] }, session)) {
    const { bill } = each;
    if (bill.status !== 'closed' || bill.closing) continue;
    const by: Closing['by'] = closers.get(bill.id) ?? { id: 1, name: '-' };
    await dayBills.enterClosing({ ...bill, closing: closingOf(each, { day, by }) }, session);
  }
}
