// npm run bench -- bill: measures bill payments over HTTP.
// - cash payments that 16 waiters record in the orders service
// - 50 people who pay the same bill at the same time
import { caller, created } from '@comanda/testing/call';
import { buildServices, startBenchStack } from './stack.ts';
import { compare, limit } from './support.ts';

const waiters = 16;
const payments = 1_500;
const payers = 50;

buildServices();
const stack = await startBenchStack();
const manager = caller(stack.services.orders.url, { token: stack.managerToken });
created(await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } }));

/** Opens a bill with this many portions, and returns its id. */
async function newBill(quantity = 1): Promise<number> {
  const items = Array.from({ length: Math.ceil(quantity / 50) }, () => ({ name: 'Feijoada', quantity: 50 }));
  if (quantity < 50) items.splice(0, 1, { name: 'Feijoada', quantity });
  return created(await manager('POST', '/orders', { body: { items } })).bill_id;
}
async function payOne(bill: number): Promise<void> {
  const body = { method: 'cash', part: { amount: '1.00' }, expected_amount: '1.00' };
  created(await manager('POST', `/bills/${bill}/payments`, { body }));
}

/** Makes these calls, up to 16 at the same time. Returns the number of calls per second. */
async function perSecond(calls: (() => Promise<unknown>)[]): Promise<number> {
  const started = performance.now();
  const queue = calls.values();
  const work = async (): Promise<void> => {
    for (const call of queue) await call();
  };
  await Promise.all(Array.from({ length: waiters }, work));
  return (1_000 * calls.length) / (performance.now() - started);
}

await compare({
  name: 'bill-payment-cash',
  what: `payments by cash recorded by ${waiters} waiters, the first of each bill`,
  unit: 'payments/s',
  ours: async () => {
    const bills: number[] = [];
    await perSecond(Array.from({ length: payments }, () => async () => bills.push(await newBill())));
    return perSecond(bills.map((bill) => () => payOne(bill)));
  },
  peers: {
    'orders placed by the same': {
      run: () => perSecond(Array.from({ length: payments }, () => () => newBill())),
      atLeast: 0.77,
    },
  },
});

await limit({
  name: 'bill-payers',
  what: `until ${payers} payers of one bill, at once, have their answers (400 answers a second are 125 ms)`,
  unit: 'ms',
  atMost: (payers / 400) * 1_000,
  ours: async () => {
    const bill = await newBill(50);
    const started = performance.now();
    await Promise.all(Array.from({ length: payers }, () => payOne(bill)));
    return performance.now() - started;
  },
});

await stack.close();
