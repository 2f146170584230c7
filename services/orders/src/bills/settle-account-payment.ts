import type * as contract from '@comanda/contracts/internal';
import type { AccountPayment } from '@comanda/contracts/internal';
import { problem, type Problem } from '@comanda/contracts/problem';
import { readStatement, type StatementType } from '@comanda/shared/crypto/statement';
import type { Call } from '@comanda/shared/http/api';
import type { KeySet } from '@comanda/shared/http/key-set';
import type { OrderWriter } from '../batch/order-writer.ts';
import { findAccountPayment } from './account-payment.ts';
import type { Settlement } from './bill-change.ts';
import type { BillStore } from './bill-store.ts';
import { toAccountPayment } from './get-account-payment.ts';

export type SettleDeps = {
  bills: Pick<BillStore, 'find' | 'findIdOfPayment'>;
  writer: Pick<OrderWriter, 'write'>;
  /** The transfers service's public keys, which verify the statements that it signs. */
  receiptKeys: Pick<KeySet, 'key'>;
};

/**
 * `POST /internal/bill-payments/{id}/settle`: ends a claimed payment if a statement signed by the transfers service proves the
 * outcome. No caller can change anything without such a statement.
 * @throws 404 `not_found`; 409 `payment_not_payable`; 503 `service_unavailable` if the statement's key isn't known yet, or the
 * database is down
 */
export async function settleAccountPayment(
  { bills, writer, receiptKeys }: SettleDeps,
  { params: { id: paymentId }, body: { statement }, context }: Call<typeof contract.settleAccountPayment>,
): Promise<AccountPayment> {
  const billId = await bills.findIdOfPayment(paymentId);
  const found = billId === null ? null : await bills.find(billId);
  const payment = found && findAccountPayment(found.bill, paymentId);
  if (!payment || billId === null) throw problem('not_found');

  const settlement = await readSettlement(receiptKeys, statement);
  if (!settlement) throw problem('payment_not_payable', { payment_status: payment.status });

  const written = await writer.write({
    kind: 'change_bill',
    // The settlement is recorded for the user who claimed the payment, or for its payer if no one did.
    context: { actor: payment.claim?.by ?? payment.recordedBy, traceparent: context.traceparent },
    request: null,
    billId,
    reader: null,
    ifMatch: undefined,
    change: { kind: 'settle_payment', paymentId, settlement },
  });
  return toAccountPayment(written.bill, paymentId);
}

const purposes = new Map<unknown, 'payment' | 'refund'>([
  ['bill_payment', 'payment'],
  ['bill_refund', 'refund'],
]);

/** Returns what the statement proves. Returns null if it doesn't end a payment or if the transfers service hasn't signed it. */
export async function readSettlement(keys: Pick<KeySet, 'key'>, statement: string): Promise<Settlement | null> {
  const kid = kidOf(statement);
  if (kid === null) return null;
  const key = await keys.key(kid);
  if (!key) throw keyUnknown();
  const read = (typ: StatementType) => readStatement(statement, typ, new Map([[kid, key]]));
  const receipt = read('receipt+jws');
  if (receipt) return toReceipt(receipt);
  const jti = (read('refusal+jws') ?? read('expiry+jws'))?.['jti'];
  return typeof jti === 'string' ? { kind: 'end', jti } : null;
}

/** Returns the receipt; null if it isn't for a posted bill payment or refund. */
function toReceipt(payload: Record<string, unknown>): Settlement | null {
  const { kind, status, id, payment_id: paymentId, jti, amount, currency, user_id: userId, created_at: at } = payload;
  const purpose = purposes.get(kind);
  const isComplete =
    purpose !== undefined &&
    status === 'posted' &&
    typeof id === 'number' &&
    typeof paymentId === 'number' &&
    typeof jti === 'string' &&
    typeof amount === 'string' &&
    typeof currency === 'string' &&
    typeof userId === 'number' &&
    typeof at === 'string';
  if (!isComplete) return null;
  const postedAt = new Date(at);
  return { kind: 'receipt', purpose, paymentId, transferId: id, jti, amount, currency, userId, postedAt };
}

/** Returns the key id in a compact JWS's header [RFC 7515]; null if it has none. */
export function kidOf(statement: string): string | null {
  try {
    const head = Buffer.from(statement.split('.')[0] ?? '', 'base64url').toString();
    const { kid } = JSON.parse(head) as { kid?: unknown };
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null; // not JSON
  }
}

/** The transfers service may sign with a new key shortly before this service can load that key, so the caller should retry. */
export const keyUnknown = (): Problem =>
  problem(
    'service_unavailable',
    { detail: "The key of this statement isn't known here yet. Repeat the call in 10 seconds." },
    { 'Retry-After': '10' },
  );
