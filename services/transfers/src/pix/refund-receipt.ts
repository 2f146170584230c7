import type * as contract from '@comanda/contracts/pix';
import type { PixReceipt as ReceiptResponse } from '@comanda/contracts/pix';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { Consent, Consume } from '@comanda/shared/http/step-up';
import { lockRequest, type LockRequestDeps } from '../transfers/idempotency.ts';
import { authorOf } from './author.ts';
import { advanceNow, findReceiptIn, refuseChanged, type ChangeReceiptDeps } from './change-receipt.ts';
import { randomRefundId } from './charge.ts';
import { mayBe, nextStepMs, toReceiptResponse, type PixReceipt, type Refund } from './pix-receipt.ts';

export type RefundReceiptDeps = Pick<ChangeReceiptDeps, 'receipts' | 'advance' | 'clock'> &
  LockRequestDeps & { consume: Consume };
type RefundCall = Call<typeof contract.refundPix>;
type Refunded = { receipt: ReceiptResponse } & ({ consent: Consent } | { replayed: true });

/**
 * `POST /pix/receipts/{e2e}/refunds`: stores a refund with the manager's consent, and begins it. The sweep continues it from any
 * step.
 * @throws the problems in the contract; before the token is spent: 404 `not_found`, 409 `pix_receipt_state`, 422
 * `amount_mismatch`
 */
export async function refundReceipt(deps: RefundReceiptDeps, call: RefundCall): Promise<Refunded> {
  using _ = await lockRequest(deps, call);
  const earlier = await findEarlier(deps, call);
  if (earlier) return earlier;
  try {
    return await refundNow(deps, call);
  } catch (error) {
    // Another instance may have handled a request with the same key in the meantime.
    const faster = await findEarlier(deps, call);
    if (faster) return faster;
    throw error;
  }
}

async function refundNow(deps: RefundReceiptDeps, call: RefundCall): Promise<Refunded> {
  const { receipts } = deps;
  const receipt = await findReceiptIn(receipts, call.params.e2e, mayBe.refunded);
  const { amount, currency } = call.body;
  if (toMinor(amount) !== receipt.amountMinor || currency !== 'BRL')
    throw problem('amount_mismatch', { total: fromMinor(receipt.amountMinor) });
  const consent = await deps.consume(call);
  const begun = await begin(deps, { receipt, call, consent });
  return { receipt: await advanceNow(deps, begun), consent };
}

/** Finds the refund that an earlier request with the same idempotency key began. @throws 422 `idempotency_key_reused` */
async function findEarlier({ receipts }: RefundReceiptDeps, call: RefundCall): Promise<Refunded | null> {
  const { idempotency } = call;
  if (!idempotency) return null;
  const isSame = ({ request, by }: Refund): boolean => request?.key === idempotency.key && by.id === call.caller.userId;
  const receipt = (await receipts.findByRefundKey(idempotency.key)).find(({ refunds }) => refunds.some(isSame));
  if (!receipt) return null;
  // The fingerprint covers the path, so a key for another Pix is found here too.
  if (receipt.refunds.find(isSame)?.request?.fingerprint !== idempotency.fingerprint)
    throw problem('idempotency_key_reused');
  return { receipt: toReceiptResponse(receipt), replayed: true };
}

type Begin = { receipt: PixReceipt; call: RefundCall; consent: Consent };

/**
 * Stores the refund. If the receipt was changed since it was read, for example because the bank has returned a part, tries once
 * more: the token is spent.
 */
async function begin({ receipts, clock }: RefundReceiptDeps, { receipt, call, consent }: Begin): Promise<PixReceipt> {
  const now = new Date(clock());
  const refund: Refund = {
    id: randomRefundId(),
    status: 'processing',
    at: now,
    by: authorOf(call.caller),
    consent: consent.jws,
    jti: consent.jti,
    request: call.idempotency,
    deniedAt: null,
  };
  const store = (read: PixReceipt): Promise<PixReceipt | null> =>
    receipts.change(read, {
      state: 'refunding',
      refunds: [...read.refunds, refund],
      nextAt: new Date(now.getTime() + nextStepMs),
    });
  return (
    (await store(receipt)) ??
    (await store(await findReceiptIn(receipts, receipt.endToEndId, mayBe.refunded))) ??
    refuseChanged(receipts, receipt.endToEndId)
  );
}
