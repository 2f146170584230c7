import type { PixPurpose } from '@comanda/contracts/pix-internal';
import type { Signer } from '@comanda/shared/crypto/statement';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { PixOrders } from './ask-orders.ts';
import type { Bank, BankPix } from './bank.ts';
import { currentRefund, nextStepMs, withRefund, type PixReceipt, type Refund } from './pix-receipt.ts';
import type { ReceiptStore } from './receipt-store.ts';
import { signReceived, signRefund } from './statement.ts';
import type { VerifyConsent } from './verify-consent.ts';

export type RefundDeps = {
  bank: Pick<Bank, 'getReturn' | 'putReturn'>;
  receipts: Pick<ReceiptStore, 'change' | 'postpone' | 'find'>;
  orders: Pick<PixOrders, 'decide'>;
  verifyConsent: VerifyConsent;
  signer: () => Signer;
  clock: Clock;
  logger: Logger;
};
/** What has become of the money. `wait`: the bank has not decided yet. */
type Returned = 'done' | 'failed' | 'wait';

/** How long a bank may refuse a refund with 403 or 404 before it counts as failed, in milliseconds. */
const deniedForMs = 3600_000;
const forgedAgainMs = 60_000;

/**
 * Does the next steps of a refund. Orders is told that it begins, then the bank returns the money, then orders is told how it
 * ended. Each step may be repeated. Without the user's consent to exactly this refund, nothing is sent.
 */
export async function advanceRefund(deps: RefundDeps, receipt: PixReceipt, pix: BankPix): Promise<PixReceipt> {
  const refund = currentRefund(receipt);
  if (!refund || !(await hasConsent(deps, { receipt, pix, refund }))) return leaveOut(deps, receipt);
  if (receipt.tellsAgain) await tellPaid(deps, receipt, pix);
  const begun = await tell(deps, { receipt, pix, refund, purpose: 'refund_begun' });
  if (begun.outcome === 'refused') return end(deps, receipt, { refund, status: 'failed' });
  const returned = await returnMoney(deps, { receipt, refund, pix });
  if (returned === 'wait') {
    await postpone(deps, receipt, nextStepMs);
    return receipt;
  }
  // It is stored before orders is told: otherwise the refund could be sent again after orders counts it as failed.
  if (returned === 'failed') return end(deps, receipt, { refund, status: 'failed' });
  await tellRefunded(deps, { receipt, pix, refund });
  return end(deps, receipt, { refund, status: 'done' });
}

/** Tells orders again of a refund that is done, from the payment on, because its database was restored. */
export async function tellRefundAgain(deps: RefundDeps, receipt: PixReceipt, pix: BankPix): Promise<PixReceipt> {
  const refund = receipt.refunds.find(({ status }) => status === 'done');
  if (refund) {
    const about = { receipt, pix, refund };
    if (!(await hasConsent(deps, about)) || !(await isReturned(deps, about))) return leaveOut(deps, receipt);
    await tellPaid(deps, receipt, pix);
    await tellRefunded(deps, about);
  }
  return (await deps.receipts.change(receipt, { tellsAgain: false, nextAt: null })) ?? receipt;
}

/** Tells orders which refunds have failed. To tell it again changes nothing. */
export async function tellFailed(deps: TellDeps, receipt: PixReceipt, pix: BankPix): Promise<void> {
  for (const refund of receipt.refunds)
    if (refund.status === 'failed') await tell(deps, { receipt, pix, refund, purpose: 'refund_failed' });
}

type About = { receipt: PixReceipt; pix: BankPix; refund: Refund };
type TellDeps = Pick<RefundDeps, 'orders' | 'signer' | 'clock'>;

/** Returns true if the user has approved to give back this Pix with the amount that the bank names. */
const hasConsent = ({ verifyConsent }: RefundDeps, { receipt, pix, refund }: About): Promise<boolean> =>
  verifyConsent({ ...receipt, amountMinor: pix.amountMinor }, refund);

/** Returns true if the bank says that it has returned the money, through this refund or by itself. */
async function isReturned({ bank }: RefundDeps, { receipt, pix, refund: { id } }: About): Promise<boolean> {
  if (receipt.returnedMinor >= pix.amountMinor) return true;
  const known = pix.returns.find((each) => each.id === id) ?? (await bank.getReturn(receipt.endToEndId, id));
  return known !== null && stateOf(known.status) === 'done';
}

/** Leaves out a refund that only the database knows. */
async function leaveOut(deps: RefundDeps, receipt: PixReceipt): Promise<PixReceipt> {
  const text = 'a refund of a Pix has no consent that fits it, or the bank has not done it: it is left out';
  deps.logger.error({ pix: receipt.endToEndId }, text);
  await postpone(deps, receipt, forgedAgainMs);
  return receipt;
}

const tell = (deps: TellDeps, { receipt, pix, refund, purpose }: About & { purpose: Exclude<PixPurpose, 'payment'> }) =>
  deps.orders.decide(
    signRefund(
      pix,
      { purpose, refundId: refund.id, named: receipt.named, by: refund.by, now: new Date(deps.clock()) },
      deps.signer(),
    ),
  );

/** A restored orders may have forgotten that the refund began, so that is told first. */
async function tellRefunded(deps: RefundDeps, about: About): Promise<void> {
  await tell(deps, { ...about, purpose: 'refund_begun' });
  await tell(deps, { ...about, purpose: 'refunded' });
}

async function tellPaid({ orders, signer, clock }: RefundDeps, receipt: PixReceipt, pix: BankPix): Promise<void> {
  const about = { named: receipt.named, by: receipt.assignedBy, now: new Date(clock()) };
  await orders.decide(signReceived(pix, about, signer()));
}

/** Asks the bank to return the money, unless it has already done so by itself. What it has returned in part is left out. */
async function returnMoney(deps: RefundDeps, { receipt, refund, pix }: About): Promise<Returned> {
  const { bank } = deps;
  const { endToEndId, returnedMinor } = receipt;
  const { id } = refund;
  const known = pix.returns.find((each) => each.id === id) ?? null;
  const amountMinor = pix.amountMinor - returnedMinor;
  if (!known && amountMinor <= 0n) return 'done';
  const asked = known ?? (await bank.getReturn(endToEndId, id));
  if (asked) return stateOf(asked.status);
  const sent = await bank.putReturn(endToEndId, { id, amountMinor });
  if (!('refusedWith' in sent)) return stateOf(sent.status);
  const { refusedWith } = sent;
  if (refusedWith !== 400 && refusedWith !== 403 && refusedWith !== 404) return 'wait';
  const stored = await bank.getReturn(endToEndId, id);
  if (stored) return stateOf(stored.status);
  return refusedWith === 400 || (await isDeniedForLong(deps, { receipt, refund })) ? 'failed' : 'wait';
}

function stateOf(status: string): Returned {
  if (status === 'DEVOLVIDO') return 'done';
  return status === 'NAO_REALIZADO' ? 'failed' : 'wait';
}

/** Notes when the bank first denied the refund. Returns true if that was an hour ago. */
async function isDeniedForLong(
  { receipts, clock }: RefundDeps,
  { receipt, refund }: Pick<About, 'receipt' | 'refund'>,
): Promise<boolean> {
  const now = new Date(clock());
  if (refund.deniedAt) return now.getTime() - refund.deniedAt.getTime() >= deniedForMs;
  const refunds = withRefund(receipt, refund.id, { deniedAt: now });
  await receipts.change(receipt, { refunds, nextAt: new Date(now.getTime() + nextStepMs) });
  return false;
}

/** Ends the refund. If it has failed, orders is asked again which payment the Pix pays. */
async function end(
  { receipts, clock }: RefundDeps,
  receipt: PixReceipt,
  { refund, status }: { refund: Refund; status: 'done' | 'failed' },
): Promise<PixReceipt> {
  const refunds = withRefund(receipt, refund.id, { status });
  const after =
    status === 'done'
      ? ({ state: 'refunded', nextAt: null } as const)
      : ({ state: 'settling', nextAt: new Date(clock()) } as const);
  return (await receipts.change(receipt, { ...after, refunds, tellsAgain: false, dismissed: null })) ?? receipt;
}

const postpone = ({ receipts, clock }: RefundDeps, receipt: PixReceipt, ms: number): Promise<void> =>
  receipts.postpone(receipt, new Date(clock() + ms));
