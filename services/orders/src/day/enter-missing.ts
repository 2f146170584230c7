import type { Session } from '@comanda/shared/mongo/transactions';
import type { UnitOfWork } from '@comanda/shared/service/unit-of-work';
import type { BillStore } from '../bills/bill-store.ts';
import { closingOf } from '../bills/bill-rules.ts';
import type { Closing, Payment } from '../bills/bill.ts';
import type { MovementStore } from '../cash-drawers/movement-store.ts';
import { movementOfPayment, movementOfRefund } from '../cash-drawers/movements-of-step.ts';
import type { NewMovement, Person } from '../cash-drawers/movement.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import type { DayBillStore, Moved, PaymentRef } from './day-bill-store.ts';
import type { DayMarks, RunningDay } from './running-day.ts';

export type MissingDeps = {
  bills: Pick<BillStore, 'findAll'>;
  dayBills: DayBillStore;
  movements: Pick<MovementStore, 'findOfPayments' | 'insert'>;
  counters: Pick<CounterStore, 'takeEntryIds'>;
};
type FindDeps = Pick<MissingDeps, 'dayBills' | 'movements'>;
type ToEnter = Moved & { bills: readonly number[] };
/** What an instance of the last release has written without its movements or day, and where the next search starts. */
export type Missing = ToEnter & { marks: DayMarks };

/** Finds what is missing since the marks. It only reads, so no other write waits for it. */
export async function findMissing(
  deps: FindDeps,
  { marks, last, now, session }: { marks: DayMarks; last: RunningDay['last']; now: Date; session: Session },
): Promise<Missing> {
  const { dayBills } = deps;
  const moved = await findMoved(deps, { marks, session });
  const bills = await dayBills.findWithoutDay(marks, session);
  const next: DayMarks = {
    ...marks,
    paymentId: last.paymentId,
    inFlight: await dayBills.findInFlight(session),
    billNumber: last.billNumber,
    openNumbered: await dayBills.findOpenNumbered(session),
    refundsSince: now,
  };
  return { ...moved, bills, marks: next };
}

/** Finds the payments and refunds since the marks that lack their movement. */
async function findMoved(
  { dayBills, movements }: FindDeps,
  { marks, session }: { marks: DayMarks; session: Session },
): Promise<Moved> {
  return withoutMovement(movements, { moved: await dayBills.findMoved(marks, session), session });
}

async function withoutMovement(
  movements: Pick<MovementStore, 'findOfPayments'>,
  { moved: { payments, refunds }, session }: { moved: Moved; session: Session },
): Promise<Moved> {
  const ids = [...payments, ...refunds].map(({ paymentId }) => paymentId);
  const entered = await movements.findOfPayments(ids, session);
  const lacks = (kind: keyof typeof entered) => (ref: PaymentRef) => !entered[kind].has(ref.paymentId);
  return { payments: payments.filter(lacks('payment')), refunds: refunds.filter(lacks('refund')) };
}

/** The most that is entered while other writes wait. */
const maxAtOnce = 100;
export const areMany = ({ payments, refunds, bills }: ToEnter): boolean =>
  payments.length + refunds.length + bills.length > maxAtOnce;

/** Divides what is missing into parts that are entered one after the other, payments before refunds. */
function partsOf({ payments, refunds, bills }: ToEnter): ToEnter[] {
  const parts: ToEnter[] = [];
  const chunks = <T>(list: readonly T[]): T[][] =>
    Array.from({ length: Math.ceil(list.length / maxAtOnce) }, (_, at) =>
      list.slice(at * maxAtOnce, (at + 1) * maxAtOnce),
    );
  for (const chunk of chunks(payments)) parts.push({ ...nothing, payments: chunk });
  for (const chunk of chunks(refunds)) parts.push({ ...nothing, refunds: chunk });
  for (const chunk of chunks(bills)) parts.push({ ...nothing, bills: chunk });
  return parts;
}
const nothing: ToEnter = { payments: [], refunds: [], bills: [] };

/** Enters what is missing in several short transactions of their own, so that no other write waits for long. */
export async function enterInParts(
  deps: MissingDeps,
  { found, writes }: { found: Missing; writes: Pick<UnitOfWork, 'run'> },
): Promise<void> {
  for (const part of partsOf(found))
    await writes.run(async (session) => {
      const { number: day } = await deps.counters.takeEntryIds(1, session);
      await enter(deps, { found: part, since: nothing, day, session });
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
  await enter(deps, { found, since, day: day.number, session });
  return since.marks;
}

/**
 * Like `enterMissing`, with fewer reads: bills that were closed since are left to the next count or closing. Returns how many movements
 * it has entered.
 */
export async function enterMissingMoney(
  deps: MissingDeps,
  { found, day, session }: { found: Missing; day: RunningDay; session: Session },
): Promise<number> {
  const since = await findMoved(deps, { marks: found.marks, session });
  return enter(deps, { found, since: { ...since, bills: [] }, day: day.number, session });
}

/**
 * Enters what was found before this transaction, except what was entered in the meantime, and what was found in it. Returns how many
 * movements it has entered.
 */
async function enter(
  deps: MissingDeps,
  { found, since, day, session }: { found: ToEnter; since: ToEnter; day: number; session: Session },
): Promise<number> {
  const { dayBills } = deps;
  const still = await withoutMovement(deps.movements, { moved: found, session });
  const paid = await dayBills.findPayments([...still.payments, ...since.payments], session);
  const refunded = await dayBills.findPayments([...still.refunds, ...since.refunds], session);
  const entered = [
    ...paid.map(({ billId, payment }) => movementOfPayment(payment, { billId, ...ofPayment(payment) })),
    ...refunded.map(({ billId, payment }) => movementOfRefund(payment, { billId, ...ofRefund(payment) })),
  ];
  await insertEntered(deps, { entered, session });
  await enterClosings(deps, { ids: [...new Set([...found.bills, ...since.bills])], day, session });
  return entered.length;
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
