import { CallFailure, type Client } from '@comanda/client';
import { rateOf, roundHalfUp } from '@comanda/contracts/bill-amounts';
import { openPiecesOf, previewPart } from '@comanda/contracts/bill-preview';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPart } from '@comanda/contracts/bill-payments';
import type { Chance } from './chance.ts';
import { payByPix, type PixPayer } from './pay-by-pix.ts';
import { payFromAccount, type Regular } from './regulars.ts';

type Deps = {
  staff: Client;
  manager: Client;
  /** The customer who pays a share from an account, or null if the party has none. */
  regular: Regular | null;
  /** A guest who may pay by Pix, or null without a bank. */
  pix: PixPayer | null;
  chance: Chance;
  /** Waits until it is the next guest's turn to pay. */
  untilNextGuest: () => Promise<void>;
  signal: AbortSignal;
};

const methods = ['cash', 'card', 'card', 'other'] as const;
/** The fraction of payments that are made by Pix. */
const pixShare = 0.4;
const tips = ['5.00', '10.00'];
/** The value of a banknote in minor units: guests pay in cash with notes of 10.00. */
const note = 1_000n;

/**
 * Settles a party's bill. One guest pays everything, or each guest pays an equal share or some dishes, and some give a tip. A
 * customer with an account pays first, from that account. Some pay by Pix. Afterwards the bill is closed.
 * @throws CallFailure
 */
export async function settleBill(deps: Deps, id: number): Promise<void> {
  const { staff, chance, untilNextGuest, signal } = deps;
  let { regular } = deps;
  const nextPart = chance.pick([payAll, shareAmong(chance.whole(2, 4)), payDishes]);
  let bill = await staff.calls.getBill({ id });
  if (bill.status !== 'open') return;
  while (bill.paid !== bill.total && !signal.aborted) {
    // A Pix is paid a little later.
    if (bill.remaining !== '0.00') await payPart({ ...deps, regular }, bill, nextPart(bill));
    regular = null;
    bill = await staff.calls.getBill({ id });
    await untilNextGuest();
  }
  if (!signal.aborted) await staff.calls.closeBill({ id });
}

const payAll = (): BillPart => ({ rest: true });
const shareAmong =
  (of: number) =>
  ({ split }: Bill): BillPart =>
    split.shares_of !== null && split.shares_taken === split.shares_of ? { rest: true } : { shares: 1, of };
/** Returns the part of the bill that covers the unpaid rest of the first unpaid line. */
function payDishes(bill: Bill): BillPart {
  const line = bill.lines.find(({ id }) => openPiecesOf(bill, id).count > 0);
  return line ? { lines: [{ line_id: line.id }] } : { rest: true };
}

type Paying = Pick<Deps, 'staff' | 'manager' | 'regular' | 'pix' | 'chance'>;

/**
 * Collects the money for one share. If the bill has changed in the meantime, nothing is recorded, and the next round tries again.
 */
async function payPart({ staff, manager, regular, pix, chance }: Paying, bill: Bill, wanted: BillPart): Promise<void> {
  const preview = previewPart(bill, wanted);
  const [part, amount] = preview.kind === 'priced' ? [wanted, preview.amount] : [payAll(), bill.remaining];
  const tip = chance.happens(0.4)
    ? fromMinor(roundHalfUp(toMinor(amount) * rateOf(chance.pick(tips)), 10_000n))
    : '0.00';
  try {
    // A guest has one reservation at a time.
    const mayPix = pix !== null && bill.reserved === '0.00' && chance.happens(pixShare);
    if (regular) await payFromAccount(regular, { manager, bill, part, amount, tip });
    else if (mayPix) await payByPix(pix, { bill, part, amount, tip });
    else await payByHand({ staff, chance }, { bill, part, amount, tip });
  } catch (failure) {
    if (!(failure instanceof CallFailure) || failure.code !== 'bill_changed') throw failure;
  }
}

type ByHand = { bill: Bill; part: BillPart; amount: string; tip: string };
async function payByHand({ staff, chance }: Pick<Deps, 'staff' | 'chance'>, { bill, part, amount, tip }: ByHand) {
  const method = chance.pick(methods);
  const total = toMinor(amount) + toMinor(tip);
  const received = ((total + note - 1n) / note) * note;
  const cash = method === 'cash' ? { received: fromMinor(received) } : {};
  await staff.calls.payBill({ id: bill.id, method, part, expected_amount: amount, tip, ...cash });
}
