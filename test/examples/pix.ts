import type { FakeBank } from '@comanda/local-stack/bank/fake-bank';
import { created, type Call } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';

type Options = {
  /** Calls the gateway as a manager. */
  manager: () => Call;
  bank: () => FakeBank;
  newBill: () => Promise<{ id: number; remaining: string }>;
};

/** Returns what the examples about Pix need. */
export function createPixNeeds({ manager, bank, newBill }: Options) {
  /** Reserves the rest of a bill for a Pix. Returns the payment's id and total. */
  const reserve = async (): Promise<{ id: number; total: string }> => {
    const { id, remaining } = await newBill();
    const body = { method: 'pix', part: { rest: true }, expected_amount: remaining };
    return created(await manager()('POST', `/bills/${id}/payments`, { body }));
  };
  const newCharge = async (): Promise<{ payment_id: number; txid: string }> => {
    const { id, total } = await reserve();
    const body = { payment_id: id, amount: total, currency: 'BRL' };
    return created(await manager()('POST', '/pix/charges', { body }));
  };
  return {
    'a Pix charge': async () => {
      const { payment_id } = await newCharge();
      return { call: manager(), params: { payment_id } };
    },
    /** A Pix of another amount than its code, which matches no payment. */
    'a Pix receipt': async () => {
      const { payment_id, txid } = await newCharge();
      const e2e = bank().pay({ txid, amount: '1.00' });
      const isUnmatched = async (): Promise<boolean> =>
        (await manager()('GET', `/pix/receipts/${e2e}`)).body.state === 'unmatched';
      await until(isUnmatched, { what: 'the Pix to be unmatched', timeoutMs: 30_000 });
      return { call: manager(), params: { e2e }, body: { amount: '1.00', payment_id } };
    },
    'a payment by Pix': async () => {
      const { id, total } = await reserve();
      return { call: manager(), body: { payment_id: id, amount: total } };
    },
  };
}
