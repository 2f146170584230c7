// npm run bench -- pix [paid | orders | transfers]: measures payments by Pix with the fake bank. Without an argument, it runs all
// parts.
// - paid: the time from the moment when the bank has a Pix until its bill says that it is paid, with a hint and without one
// - orders, transfers: how many a second, while 40 guests ask for Pix codes again and again, and the bank hangs. The baseline is a
//   bank that refuses at once, so that the guests ask as often.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startFakeBank, type Fault } from '@comanda/local-stack/bank/fake-bank';
import { caller, created, type Call } from '@comanda/testing/call';
import { startOwnServer } from '@comanda/testing/own-server';
import { perSecond } from './orders/order-writer.ts';
import { startBenchStack } from './stack.ts';
import { compare, limit, percentile, type Side } from './support.ts';
import { addsUp, randomPairs } from './transfers/accounts.ts';
import { startTransferStack } from './transfers/stack.ts';

const guests = 40;
const part = process.argv[3];
const isSelected = (name: string): boolean => part === undefined || part === name;

const refuse: Fault = { status: 503 };

const bank = await startFakeBank();
/** How often each guest asks: a little longer than a call to a bank that hangs takes. */
const askEveryMs = 1_400;

type Asking = { asks: readonly (() => Promise<number>)[]; fault: Fault };
/** Measures while the bank has this fault and each of these guests asks for a code, again and again. */
const whileAsking =
  ({ asks, fault }: Asking, measure: Side): Side =>
  async () => {
    bank.setFault(({ path }) => (path.startsWith('/v2/') ? fault : null));
    let isOver = false;
    let answered = 0;
    const asking = asks.map(async (ask) => {
      while (!isOver) {
        const next = pause(askEveryMs);
        const status = await ask();
        if (status !== 503) throw new Error(`a code was answered with ${status} while the bank is down`);
        answered++;
        await next;
      }
    });
    const figure = await measure();
    isOver = true;
    await Promise.all(asking);
    bank.setFault(null);
    if (answered < asks.length) throw new Error('the guests were not answered');
    return figure;
  };

if (isSelected('paid') || isSelected('orders')) {
  const stack = await startBenchStack(bank.settings);
  const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  created(await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } }));
  const newOrder = () => manager('POST', '/orders', { body: { items: [{ name: 'Feijoada', quantity: 1 }] } });
  type Payment = { id: number; bill_id: number; total: string };
  /** Reserves a bill as a new guest, because each may ask for ten codes a minute. */
  async function reserve(): Promise<{ guest: Call; payment: Payment }> {
    const guest = caller(stack.gatewayUrl, { token: (await stack.customer('Ana')).token });
    const { bill_id: id } = created(
      await guest('POST', '/orders', { body: { items: [{ name: 'Feijoada', quantity: 1 }] } }),
    );
    const body = { method: 'pix', part: { rest: true }, expected_amount: '32.50' };
    return { guest, payment: created(await guest('POST', `/bills/${id}/payments`, { body })) };
  }
  const ask = (guest: Call, { id, total }: Payment) =>
    guest('POST', '/pix/charges', { body: { payment_id: id, amount: total, currency: 'BRL' } });

  /**
   * Pays ten codes one after another, at moments that differ and are more than a second apart, because hints ask at most once a
   * second. Returns the longest time until one is paid, in milliseconds.
   */
  async function payTen(): Promise<number> {
    const took: number[] = [];
    for (let count = 0; count < 10; count++) {
      const { guest, payment } = await reserve();
      const { txid } = created(await ask(guest, payment));
      await pause(1_000 + Math.random() * 2_000);
      const started = performance.now();
      bank.pay({ txid });
      const path = `/bills/${payment.bill_id}/payments/${payment.id}`;
      while ((await guest('GET', path)).body.status !== 'paid') await pause(10);
      took.push(performance.now() - started);
    }
    return percentile(took, 1);
  }
  if (isSelected('paid')) {
    await limit({
      name: 'pix-paid',
      what: 'until a Pix that the bank has is paid in its bill, without a hint: the slowest of ten',
      unit: 'ms',
      ours: payTen,
      rounds: 3,
      atMost: 3_000,
    });
    bank.setHintUrl(`${stack.gatewayUrl}/pix-hints`);
    await limit({
      name: 'pix-paid-hint',
      what: 'until a Pix that the bank has is paid in its bill, with a hint: the slowest of ten',
      unit: 'ms',
      ours: payTen,
      rounds: 3,
      atMost: 1_000,
    });
  }
  if (isSelected('orders')) {
    const reserved = [];
    for (let count = 0; count < guests; count++) reserved.push(await reserve());
    const asks = reserved.map(
      ({ guest, payment }) =>
        async () =>
          (await ask(guest, payment)).status,
    );
    const orders: Side = () => perSecond(async () => created(await newOrder()), { clients: 16, seconds: 4 });
    await compare({
      name: 'pix-hanging-bank-orders',
      what: `orders by 16 callers, while ${guests} guests ask for Pix codes and the bank hangs`,
      unit: 'orders/s',
      ours: whileAsking({ asks, fault: 'hang' }, orders),
      peers: { 'a bank that refuses': { run: whileAsking({ asks, fault: refuse }, orders), atLeast: 0.95 } },
    });
  }
  await stack.close();
}

if (isSelected('transfers')) {
  const [mongod, redis, rabbitmq] = await Promise.all([
    startOwnServer('mongodb'),
    startOwnServer('redis'),
    startOwnServer('rabbitmq'),
  ]);
  // In place of orders: every payment is reserved.
  const orders = createServer((req, res) => {
    const payment = {
      id: Number(req.url?.split('/').at(-1)),
      created_at: '2026-11-20T20:00:00.000Z',
      status: 'reserved',
      total: '32.50',
      currency: 'BRL',
      expires_at: new Date(Date.now() + 600_000).toISOString(),
      confirmed_by: null,
    };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(payment));
  }).listen(0, '127.0.0.1');
  await once(orders, 'listening');
  const stack = await startTransferStack({
    mongodbUri: mongod.url,
    redisUrl: redis.url,
    rabbitmqUrl: rabbitmq.url,
    more: { ...bank.settings, ORDERS_URL: `http://127.0.0.1:${(orders.address() as AddressInfo).port}` },
  });
  const target = stack.ours(1);
  const transfers: Side = async () => {
    const calls = await stack.prepareCalls(target, randomPairs('uniform', 12_000));
    const client = stack.connectTo(target);
    const send = async (): Promise<void> => {
      const call = calls.pop();
      if (!call) throw new Error('more than 12,000 calls in a round');
      await client.send(call);
    };
    const figure = await perSecond(send, { clients: 64, seconds: 2.5 });
    await client.close();
    await stack.untilPublished();
    await addsUp(stack.connection);
    return figure;
  };
  const asks = Array.from({ length: guests }, (_, index) => async () => {
    const guest = caller(target.urls[0] ?? '', { token: stack.accessTokenOf(index + 1) });
    const body = { payment_id: index + 1, amount: '32.50', currency: 'BRL' };
    return (await guest('POST', '/pix/charges', { body })).status;
  });
  await transfers(); // V8 optimizes the code
  await compare({
    name: 'pix-hanging-bank-transfers',
    what: `transfers by 64 callers, while ${guests} guests ask for Pix codes and the bank hangs`,
    unit: 'transfers/s',
    ours: whileAsking({ asks, fault: 'hang' }, transfers),
    peers: { 'a bank that refuses': { run: whileAsking({ asks, fault: refuse }, transfers), atLeast: 0.95 } },
  });
  await stack.close();
  orders.closeAllConnections();
  orders.close();
  await Promise.all([mongod, redis, rabbitmq].map((server) => server.discard()));
}
await bank.close();
