import type * as contract from '@comanda/contracts/internal';
import type { AccountPayment } from '@comanda/contracts/internal';
import { problem, type Problem } from '@comanda/contracts/problem';
import { readStatement, type StatementType } from '@comanda/shared/crypto/statement';
import type { Call } from '@comanda/shared/http/api';
import type { KeySet } from '@comanda/shared/http/key-set';
import { findAccountPayment, settlePayment, type Settlement } from './account-payment.ts';
import type { BillStore } from './bill-store.ts';
import { toAccountPayment } from './get-account-payment.ts';
import { enterChanged, type BillWriter } from '../batch/decide-bill-change.ts';

export type SettleDeps = {
  bills: Pick<BillStore, 'find' | 'findIdOfPayment'>;
  writer: BillWriter;
  /** The public keys with which transfers signs. */
  receiptKeys: Pick<KeySet, 'key'>;
};

/**
 * `POST /internal/bill-payments/{id}/settle`: ends a claimed payment by what transfers has signed. Whoever has no such
 * statement changes nothing, whoever they are.
 * @throws 404 `not_found`; 409 `payment_not_payable`; 503 `service_unavailable` if the key of the statement is not known
 * yet, or the database does not answer
 */
export async function settleAccountPayment(
  { bills, writer, receiptKeys }: SettleDeps,
  { params: { id }, body: { statement }, context: { traceparent } }: Call<typeof contract.settleAccountPayment>,
): Promise<AccountPayment> {
  const billId = await bills.findIdOfPayment(id);
  const found = billId === null ? null : await bills.find(billId);
  const before = found && findAccountPayment(found.bill, id);
  if (!before || billId === null) throw problem('not_found');

  const settlement = await readSettlement(receiptKeys, statement);
  if (!settlement) throw problem('payment_not_payable', { payment_status: before.status });

  // Who has claimed it, or else its payer: the answer of transfers ends what they began.
  const context = { actor: before.claim?.by ?? before.recordedBy, traceparent };
  const { written } = await writer.changeBill({
    billId,
    context,
    request: null,
    apply: (state, work) => {
      const payment = findAccountPayment(work.bill, id);
      if (!payment) return problem('not_found');
      const changed = settlePayment(work, { payment, settlement, by: context.actor, now: state.now });
      return enterChanged(state, { work, changed, context });
    },
  });
  return toAccountPayment(written, id);
}

const purposes = new Map<unknown, 'payment' | 'refund'>([
  ['bill_payment', 'payment'],
  ['bill_refund', 'refund'],
]);

/** What a statement proves; null if it is none that ends a payment, or not signed by transfers. */
async function readSettlement(keys: Pick<KeySet, 'key'>, statement: string): Promise<Settlement | null> {
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

/** The money has gone to the takings account if the kind is `bill_payment`, and come from it if it is `bill_refund`. */
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

/** Of a compact JWS [RFC 7515]. */
function kidOf(statement: string): string | null {
  try {
    const head = Buffer.from(statement.split('.')[0] ?? '', 'base64url').toString();
    const { kid } = JSON.parse(head) as { kid?: unknown };
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null; // not JSON
  }
}

/** Keys are published some time after transfers has begun to sign with them, so the call is to be repeated. */
const keyUnknown = (): Problem =>
  problem(
    'service_unavailable',
    { detail: "The key of this statement isn't known here yet. Repeat the call in 10 seconds." },
    { 'Retry-After': '10' },
  );
