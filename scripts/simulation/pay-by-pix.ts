import type { Client } from '@comanda/client';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPart } from '@comanda/contracts/bill-payments';
import type { FakeBank } from '@comanda/local-stack/bank/fake-bank';
import type { Evening } from './evening.ts';

export type SimulatedBank = Pick<FakeBank, 'pay' | 'payCode'>;
/** A guest with a phone, and the bank at which they pay. */
export type PixPayer = { phone: Client; bank: SimulatedBank };
type Part = { bill: Bill; part: BillPart; amount: string; tip: string };

/** Reserves a share of the bill, asks for its code and pays that at the bank. @throws CallFailure */
export async function payByPix({ phone, bank }: PixPayer, { bill, part, amount, tip }: Part): Promise<void> {
  const { calls } = phone;
  const payment = await calls.payBill({ id: bill.id, method: 'pix', part, expected_amount: amount, tip });
  const { id, total } = payment;
  const { code } = await calls.createPixCharge({ payment_id: id, amount: total, currency: 'BRL' });
  bank.payCode(code);
}

/** How long the bank may take until it has shown a Pix that no code announced, in seconds at a real table. */
const untilShown = [60, 120] as const;

/**
 * Sends two Pix that belong to no bill. The manager gives one back, and the other one waits in the list.
 * @throws CallFailure
 */
export async function payWithoutBill({ manager, pass, signal }: Evening, bank: SimulatedBank): Promise<void> {
  bank.pay({ amount: '25.00', note: 'Mesa 4' });
  const [amount, currency] = ['18.00', 'BRL'] as const;
  const e2e = bank.pay({ amount, note: 'Paguei duas vezes' });
  const isListed = async (): Promise<boolean> =>
    (await manager.calls.listPixReceipts({ state: 'unmatched' })).some(({ end_to_end_id: id }) => id === e2e);
  while (!signal.aborted && !(await isListed())) await pass(untilShown);
  if (!signal.aborted) await manager.calls.refundPix({ e2e, amount, currency });
}
