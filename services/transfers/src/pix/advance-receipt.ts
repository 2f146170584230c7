import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Signer } from '@comanda/shared/crypto/statement';
import type { PixDecision } from '@comanda/contracts/pix-internal';
import type { PixOrders } from './ask-orders.ts';
import type { Bank, BankPix } from './bank.ts';
import { nextStepMs, returnedByBank, type NamedPayment, type PixReceipt } from './pix-receipt.ts';
import type { ReceiptStore } from './receipt-store.ts';
import { advanceRefund, tellFailed, tellRefundAgain, type RefundDeps } from './refund-steps.ts';
import { signReceived } from './statement.ts';

export type AdvanceDeps = RefundDeps & {
  bank: Pick<Bank, 'getPix' | 'getReturn' | 'putReturn'>;
  receipts: Pick<ReceiptStore, 'change' | 'postpone' | 'find'>;
  orders: Pick<PixOrders, 'decide'>;
  signer: () => Signer;
  /** The restaurant's key. A Pix to another key is not ours. */
  pixKey: string;
  clock: Clock;
  logger: Logger;
};

/** How long the sweep leaves out a receipt of which the bank knows nothing, in milliseconds. An operator must look into it. */
const unknownAgainMs = 60_000;

/**
 * Does the next steps of a receipt, as far as they can be done now. Returns the receipt as it is then. `fresh`: what the bank has
 * just said; null to ask it.
 * @throws BankUnavailable, or a problem of orders: the sweep continues later
 */
export async function advanceReceipt(
  deps: AdvanceDeps,
  receipt: PixReceipt,
  fresh: BankPix | null = null,
): Promise<PixReceipt> {
  const pix = fresh ?? (await deps.bank.getPix(receipt.endToEndId));
  if (!pix || pix.endToEndId !== receipt.endToEndId || !isOurs(pix, deps.pixKey)) {
    deps.logger.error({ pix: receipt.endToEndId }, 'the bank does not know a stored Pix, and it is left out');
    if (receipt.nextAt) await deps.receipts.postpone(receipt, new Date(deps.clock() + unknownAgainMs));
    return receipt;
  }
  const noted = await noteReturned(deps, receipt, pix);
  if (noted.state === 'settling') return settle(deps, noted, pix);
  if (noted.state === 'refunding') return advanceRefund(deps, noted, pix);
  if (noted.tellsAgain) return tellRefundAgain(deps, noted, pix);
  return noted;
}

/** Returns true if a Pix was sent to the restaurant's key, or the bank doesn't name the key. Banks write keys in lower case. */
export const isOurs = ({ key }: BankPix, pixKey: string): boolean =>
  key === null || key.toLowerCase() === pixKey.toLowerCase();

/** Notes how much the bank has returned by itself. This changes no state: a person decides. */
async function noteReturned(
  { receipts }: Pick<AdvanceDeps, 'receipts'>,
  receipt: PixReceipt,
  pix: BankPix,
): Promise<PixReceipt> {
  const returnedMinor = returnedByBank(receipt, pix);
  if (returnedMinor === receipt.returnedMinor) return receipt;
  return (await receipts.change(receipt, { returnedMinor })) ?? newer(receipts, receipt);
}

/** Reads a receipt that another request has changed. */
async function newer(receipts: Pick<ReceiptStore, 'find'>, { endToEndId }: PixReceipt): Promise<PixReceipt> {
  const found = await receipts.find(endToEndId);
  if (!found) throw new Error(`the receipt ${endToEndId} is gone`);
  return found;
}

/** Tells orders which refunds have failed, and asks which payment the Pix pays. Its answer alone ends `settling`. */
async function settle(deps: AdvanceDeps, receipt: PixReceipt, pix: BankPix): Promise<PixReceipt> {
  const { receipts } = deps;
  const { named } = receipt;
  await tellFailed(deps, receipt, pix);
  const { outcome, reason, payment_id: paymentId } = await askOrders(deps, receipt, pix);
  const decided =
    outcome === 'accepted'
      ? ({ state: 'settled', refusal: null, paymentId } as const)
      : ({ state: 'unmatched', refusal: reason, paymentId: named?.id ?? paymentId } as const);
  const changed = await receipts.change(receipt, { ...decided, nextAt: null, amountMinor: pix.amountMinor });
  return changed ?? newer(receipts, receipt);
}

/**
 * Asks about the named payment. If that is refused, asks which payment this Pix has paid: after a restore of transfers, it may
 * have been assigned to another one.
 */
async function askOrders(
  { orders, signer, clock }: AdvanceDeps,
  { named, assignedBy }: PixReceipt,
  pix: BankPix,
): Promise<PixDecision> {
  const now = new Date(clock());
  const decision = await orders.decide(signReceived(pix, { named, by: assignedBy, now }, signer()));
  if (decision.outcome === 'accepted' || named === null) return decision;
  const paid = await orders.decide(signReceived(pix, { named: null, by: null, now }, signer()));
  return paid.outcome === 'accepted' ? paid : decision;
}

/** Stores that orders is to be asked which payment the Pix pays. Returns null if the receipt has changed. */
export const settleAgain = (
  receipts: Pick<ReceiptStore, 'change'>,
  receipt: PixReceipt,
  { now, ...fields }: { now: Date; named?: NamedPayment | null } & Partial<PixReceipt>,
): Promise<PixReceipt | null> =>
  receipts.change(receipt, { ...fields, state: 'settling', nextAt: new Date(now.getTime() + nextStepMs) });
