import type { PaymentStatus } from '@comanda/contracts/bill-payments';

/**
 * A database write that concerns a payment from an account. `payment` is a bill's payment in orders, `attempt` a stored attempt
 * in transfers, and `row` a decision in the journal of transfers.
 */
export type PaymentWrite =
  | { kind: 'payment'; paymentId: number; status: PaymentStatus; claim: string | null }
  | { kind: 'attempt'; paymentId: number; jti: string; isNoted: boolean }
  | { kind: 'row'; jti: string; decision: 'posted' | 'refused' | 'expired' };

/** The statuses to which a payment can change from each status. */
const next: Partial<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  reserved: ['claimed', 'cancelled', 'expired'],
  claimed: ['paid', 'failed'],
  paid: ['refunding'],
  refunding: ['refunded', 'paid'],
};
/** The status to which a payment changes from `claimed` or `refunding`, depending on whether a transfer was posted. */
const endsIn: Partial<Record<PaymentStatus, { posted: PaymentStatus; other: PaymentStatus }>> = {
  claimed: { posted: 'paid', other: 'failed' },
  refunding: { posted: 'refunded', other: 'paid' },
};

/**
 * Checks, in the order of the writes, the rules for payments from an account (see "Bills" in the transfers README). An attempt is
 * stored before the payment is claimed. Only the token that claimed a payment can post a transfer for it. The journal records the
 * decision before the bill does. The attempt stays stored until the claim has ended. Returns a sentence for each write that
 * breaks a rule.
 */
export function judgePaymentWrites(writes: readonly PaymentWrite[]): string[] {
  const payments = new Map<number, { status: PaymentStatus; claim: string | null }>();
  const attempts = new Map<string, number>();
  const paymentOf = new Map<string, number>();
  const journal = new Map<string, 'posted' | 'refused' | 'expired'>();
  const broken: string[] = [];

  function onPayment(id: number, after: { status: PaymentStatus; claim: string | null }): void {
    const before = payments.get(id) ?? { status: 'reserved', claim: null };
    payments.set(id, after);
    const steps = [...(next[before.status] ?? []), before.status];
    if (!steps.includes(after.status)) broken.push(`payment ${id} was ${before.status} and became ${after.status}`);
    if (after.claim !== null && after.claim !== before.claim && !attempts.has(after.claim))
      broken.push(`payment ${id} became ${after.status} before the attempt was stored`);
    if (before.claim === null || before.claim === after.claim) return;
    const decision = journal.get(before.claim);
    const end = endsIn[before.status];
    if (decision === undefined)
      broken.push(`payment ${id} became ${after.status}, and nothing is decided in the journal`);
    else if (after.claim === null && end && after.status !== (decision === 'posted' ? end.posted : end.other))
      broken.push(`payment ${id} became ${after.status}, and its transfer is ${decision}`);
  }
  function onAttempt({ paymentId, jti, isNoted }: { paymentId: number; jti: string; isNoted: boolean }): void {
    if (isNoted) {
      attempts.set(jti, paymentId);
      paymentOf.set(jti, paymentId);
      return;
    }
    const id = attempts.get(jti);
    attempts.delete(jti);
    if (id !== undefined && payments.get(id)?.claim === jti)
      broken.push(`the attempt of payment ${id} was removed while it is claimed`);
  }
  function onRow(jti: string, decision: 'posted' | 'refused' | 'expired'): void {
    if (journal.has(jti)) broken.push(`token ${jti} has two decisions`);
    journal.set(jti, decision);
    const id = paymentOf.get(jti);
    if (decision === 'posted' && id !== undefined && payments.get(id)?.claim !== jti)
      broken.push(`a transfer of payment ${id} was posted by a token that has not claimed it`);
  }
  for (const write of writes)
    if (write.kind === 'payment') onPayment(write.paymentId, write);
    else if (write.kind === 'attempt') onAttempt(write);
    else onRow(write.jti, write.decision);
  return [...broken, ...[...attempts.values()].map((id) => `an attempt of payment ${id} has not ended`)];
}
