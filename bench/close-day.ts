// npm run bench -- close-day: measures what a long evening and a year of closed days cost.
// - the figures of the running day (`GET /day/figures`), with a year of days stored
// - how long waiters wait with a payment while a day with 5,000 bills is counted and closed
// Each closed day is a copy of a real one, with 100 bills; older ones are archived.
import { setTimeout as pause } from 'node:timers/promises';
import { caller, created, type Call } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { choosePin, pin } from '@comanda/testing/step-up-calls';
import { MongoClient } from 'mongodb';
import { copyDays } from './days/stored-days.ts';
import { buildServices, startBenchStack } from './stack.ts';
import { limit, percentile } from './support.ts';

const [closedDays, billsOfEvening, billsOfLongDay] = [365, 200, 5_000];
const waiters = 4;

buildServices();
const stack = await startBenchStack();
const mongo = await new MongoClient(stack.servers.mongodbUri).connect();
const db = mongo.db(`${stack.servers.database}_orders`);
const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
const direct = caller(stack.services.orders.url, { token: stack.managerToken });
created(await choosePin(manager));
created(await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } }));

async function newBill(call = direct): Promise<{ id: number; order: number }> {
  const { id: order, bill_id: id } = created(
    await call('POST', '/orders', { body: { items: [{ name: 'Feijoada', quantity: 1 }] } }),
  );
  return { id, order };
}
async function pay(id: number): Promise<void> {
  const { total } = (await direct('GET', `/bills/${id}`)).body;
  const body = { method: 'cash', part: { rest: true }, expected_amount: total };
  created(await direct('POST', `/bills/${id}/payments`, { body }));
}
const countAll = async (call: Call): Promise<void> => {
  created(await call('POST', '/cash-drawers/main/counts', { body: { counted: '100.00' } }));
};
/** Closes the running day. Repeats it after a 503, as an app does. Returns the number of attempts. */
async function closeDay(): Promise<number> {
  const { number, previous_hash } = (await manager('GET', '/day')).body;
  const day = { number, previous_hash };
  const consent = { endpoint_key: 'day.close', authorization_details: [{ type: 'day_close', ...day }] };
  const asked = await manager('POST', '/security/step-up', { body: { ...consent, transaction_password: pin } });
  const headers = { 'X-Step-Up-Token': created(asked).step_up_token };
  for (let attempts = 1; ; attempts++) {
    const closed = await manager('POST', '/day/close', { body: { ...day, carry_over: 'all' }, headers });
    if (closed.status === 201) return attempts;
    if (closed.status !== 503) throw new Error(`the closing failed: ${closed.text}`);
    await pause(1_000);
  }
}

// The day that all others are copied from: one bill, cooked, paid and closed.
const { id, order } = await newBill();
for (const status of ['preparing', 'ready', 'delivered']) await direct('PUT', `/orders/${order}`, { body: { status } });
await pay(id);
await direct('POST', `/bills/${id}/close`, { body: {} });
await countAll(direct);
await closeDay();
await manager('GET', '/day/figures?number=1');
const stored = await copyDays(db);
await stored.addClosedDays(closedDays);
await stored.addToRunningDay(billsOfEvening);

await limit({
  name: 'day-figures',
  what: `the figures of a running day with ${billsOfEvening} bills, and ${closedDays} closed days stored: p99 of 100 calls`,
  unit: 'ms',
  atMost: 300,
  ours: async () => {
    const took: number[] = [];
    for (let call = 0; call < 100; call++) {
      const started = performance.now();
      const { status } = await manager('GET', '/day/figures');
      if (status !== 200) throw new Error(`the figures are ${status}`);
      took.push(performance.now() - started);
    }
    return percentile(took, 0.99);
  },
});

/** Records payments until `work` is done. Returns the longest that one took, with its repetitions, in milliseconds. */
async function longestPaymentDuring(work: () => Promise<unknown>): Promise<number> {
  const waiter = patient(direct);
  let [isDone, longest] = [false, 0];
  const payWhileOpen = async (): Promise<void> => {
    while (!isDone) {
      const bill = await newBill(waiter);
      const { total } = (await waiter('GET', `/bills/${bill.id}`)).body;
      const body = { method: 'card', part: { rest: true }, expected_amount: total };
      const started = performance.now();
      created(await waiter('POST', `/bills/${bill.id}/payments`, { body }));
      longest = Math.max(longest, performance.now() - started);
    }
  };
  const paying = Promise.all(Array.from({ length: waiters }, payWhileOpen));
  await pause(500);
  await work();
  await pause(500);
  isDone = true;
  await paying;
  return longest;
}

await limit({
  name: 'day-closing-wait',
  what: `the longest that a payment waits while a day with ${billsOfLongDay} bills is counted and closed, ${waiters} waiters`,
  unit: 'ms',
  atMost: 1_000,
  rounds: 3,
  ours: async () => {
    await stored.addToRunningDay(billsOfLongDay);
    let closing = '';
    const longest = await longestPaymentDuring(async () => {
      await countAll(manager);
      const started = performance.now();
      const attempts = await closeDay();
      closing = `${(performance.now() - started).toFixed(0)} ms, ${attempts} attempts`;
    });
    console.error(`  the closing took ${closing} in all`);
    return longest;
  },
});

await mongo.close();
await stack.close();
