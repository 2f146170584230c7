import type * as contract from '@comanda/contracts/pix-internal';
import { pixPurposes, type PixDecision, type PixPurpose } from '@comanda/contracts/pix-internal';
import { roles, type Role } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import { readStatement } from '@comanda/shared/crypto/statement';
import type { Call } from '@comanda/shared/http/api';
import type { KeySet } from '@comanda/shared/http/key-set';
import type { Actor } from '../actor.ts';
import type { OrderWriter } from '../batch/order-writer.ts';
import { keyUnknown, kidOf } from '../bills/settle-account-payment.ts';
import type { BillStore } from '../bills/bill-store.ts';
import type { Payment } from '../bills/bill.ts';
import type { PixDecisionStore } from './pix-decision-store.ts';
import type { ProvenStatement } from './pix-decision.ts';

export type RecordPixStatementDeps = {
  bills: Pick<BillStore, 'find' | 'findIdOfPayment'>;
  pixDecisions: Pick<PixDecisionStore, 'findPaidBy'>;
  writer: Pick<OrderWriter, 'write'>;
  /** The transfers service's public keys. */
  receiptKeys: Pick<KeySet, 'key'>;
};

/** The author of a change that no user has made, while no payment is known. It appears in no response. */
const nobody: Actor = { id: 1, name: '-', role: 'customer' };

/**
 * `POST /internal/pix-statements`: decides what a statement by the transfers service means for a payment by Pix. No caller can
 * change anything without such a statement.
 * @throws 409 `payment_not_payable` if it proves nothing; 503 `service_unavailable` if its key isn't known yet
 */
export async function recordPixStatement(
  { bills, pixDecisions, writer, receiptKeys }: RecordPixStatementDeps,
  { body, context: { traceparent } }: Call<typeof contract.recordPixStatement>,
): Promise<PixDecision> {
  const statement = await readPixStatement(receiptKeys, body.statement);
  if (!statement) throw problem('payment_not_payable', { payment_status: 'failed' });
  const { payment_id: named, end_to_end_id: endToEndId } = statement;
  const paid = endToEndId === null ? null : await pixDecisions.findPaidBy(endToEndId);
  const paymentIds = [...new Set([named, paid].filter((id) => id !== null))];
  const billIds = await Promise.all(paymentIds.map((id) => bills.findIdOfPayment(id, 'pix')));
  const known = billIds.filter((id) => id !== null);
  const actor = statement.by ?? (await findReserver(bills, { billId: known[0], paymentIds })) ?? nobody;
  const write = { kind: 'decide_pix', context: { actor, traceparent }, statement, billIds: known } as const;
  const { outcome, reason, paymentId } = (await writer.write(write)).decision;
  return { outcome, reason, payment_id: paymentId };
}

/** Returns the user who reserved the payment: in the bill's history, they are the author of what the bank has reported. */
async function findReserver(
  bills: Pick<BillStore, 'find'>,
  { billId, paymentIds }: { billId: number | undefined; paymentIds: readonly number[] },
): Promise<Actor | null> {
  const found = billId === undefined ? null : await bills.find(billId);
  const payment = found?.bill.payments.find(({ id }: Payment) => paymentIds.includes(id));
  return payment?.recordedBy ?? null;
}

/** Returns what the statement says; null if the transfers service hasn't signed it, or it is incomplete. */
async function readPixStatement(keys: Pick<KeySet, 'key'>, jws: string): Promise<ProvenStatement | null> {
  const kid = kidOf(jws);
  if (kid === null) return null;
  const key = await keys.key(kid);
  if (!key) throw keyUnknown();
  const payload = readStatement(jws, 'pix+jws', new Map([[kid, key]]));
  return payload && toStatement(payload);
}

type Payload = Record<string, unknown>;

/** Checks the fields that every statement has, and those that its purpose needs. */
function toStatement(payload: Payload): ProvenStatement | null {
  const { purpose, amount, currency, confirmed_by: confirmedBy, reference } = payload;
  const [paymentId, createdAt] = [payload['payment_id'] ?? null, payload['payment_created_at'] ?? null];
  const [endToEndId, confirmationId] = [payload['end_to_end_id'] ?? null, payload['confirmation_id'] ?? null];
  const refundId = payload['refund_id'] ?? null;
  const by = toActor(payload['by'] ?? null);
  const names = [createdAt, endToEndId, confirmationId, refundId];
  const isComplete =
    pixPurposes.includes(purpose as PixPurpose) &&
    typeof amount === 'string' &&
    typeof currency === 'string' &&
    (confirmedBy === 'bank' || confirmedBy === 'staff') &&
    (paymentId === null || (Number.isSafeInteger(paymentId) && Number(paymentId) > 0)) &&
    (paymentId === null) === (createdAt === null) &&
    names.every((name) => name === null || typeof name === 'string') &&
    by !== undefined &&
    (purpose === 'payment') === (refundId === null) &&
    (confirmedBy === 'staff'
      ? purpose === 'payment' && endToEndId === null && confirmationId !== null && paymentId !== null && by !== null
      : endToEndId !== null && confirmationId === null);
  if (!isComplete) return null;
  return {
    purpose: purpose as PixPurpose,
    payment_id: paymentId as number | null,
    payment_created_at: createdAt as string | null,
    amount,
    currency,
    end_to_end_id: endToEndId as string | null,
    confirmed_by: confirmedBy,
    confirmation_id: confirmationId as string | null,
    refund_id: refundId as string | null,
    by,
    ...(typeof reference === 'string' && { reference }),
  };
}

/** Returns undefined if `by` is neither null nor a person. */
function toActor(by: unknown): Actor | null | undefined {
  if (by === null) return null;
  const { id, name, role } = by as Payload;
  const isPerson = Number.isSafeInteger(id) && typeof name === 'string' && roles.includes(role as Role);
  return isPerson ? { id: id as number, name, role: role as Role } : undefined;
}
