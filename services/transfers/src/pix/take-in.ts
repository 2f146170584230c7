import { advanceReceipt, isOurs, type AdvanceDeps } from './advance-receipt.ts';
import type { BankPix } from './bank.ts';
import type { ChargeStore } from './charge-store.ts';
import { newReceipt, returnedByBank, type PixReceipt } from './pix-receipt.ts';
import type { ReceiptStore } from './receipt-store.ts';

export type TakeInDeps = AdvanceDeps & {
  receipts: Pick<ReceiptStore, 'findAll' | 'insert'>;
  charges: Pick<ChargeStore, 'findByTxids'>;
};

/** How many receipts are settled with orders at the same time. */
const atOnce = 8;

/**
 * Takes in what the bank has just reported: stores each Pix once, and does its next steps. A Pix whose steps fail waits for the
 * sweep.
 */
export async function takeIn(deps: TakeInDeps, listed: readonly BankPix[]): Promise<void> {
  const ours = listed.filter((pix) => isOurs(pix, deps.pixKey));
  if (ours.length === 0) return;
  const stored = await deps.receipts.findAll(ours.map(({ endToEndId }) => endToEndId));
  const unknown = ours.filter(({ endToEndId }) => !stored.has(endToEndId));
  const added = await insertAll(deps, unknown);
  const waiting = ours.flatMap((pix) => {
    const receipt = added.get(pix.endToEndId) ?? stored.get(pix.endToEndId);
    return receipt && hasNews(receipt, pix) ? { receipt, pix } : [];
  });
  for (let at = 0; at < waiting.length; at += atOnce) {
    const some = waiting.slice(at, at + atOnce);
    await Promise.all(some.map(({ receipt, pix }) => advanceOrWait(deps, receipt, pix)));
  }
}

const hasNews = (receipt: PixReceipt, pix: BankPix): boolean =>
  receipt.state === 'settling' ||
  receipt.state === 'refunding' ||
  returnedByBank(receipt, pix) !== receipt.returnedMinor;

async function advanceOrWait(deps: TakeInDeps, receipt: PixReceipt, pix: BankPix): Promise<void> {
  await advanceReceipt(deps, receipt, pix).catch((error: unknown) =>
    deps.logger.warn({ err: error, pix: receipt.endToEndId }, 'a Pix is continued by the sweep'),
  );
}

/** Stores each Pix as a receipt for the payment of its charge, or for none. Another instance may be faster. */
async function insertAll(deps: TakeInDeps, unknown: readonly BankPix[]): Promise<Map<string, PixReceipt>> {
  const charges = await deps.charges.findByTxids(unknown.flatMap(({ txid }) => txid ?? []));
  const added = new Map<string, PixReceipt>();
  for (const pix of unknown) {
    const charge = charges.find(({ txid }) => txid === pix.txid);
    const named = charge ? { id: charge.paymentId, createdAt: charge.paymentCreatedAt } : null;
    const receipt = newReceipt(pix, { named, now: new Date(deps.clock()) });
    if (await deps.receipts.insert(receipt)) added.set(pix.endToEndId, receipt);
  }
  return added;
}
