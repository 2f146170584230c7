// A kitchen's client with 100,000 open orders: seconds until its list is complete, and how often it reads pages of the
// list in the minute after, in which nothing changes. `npm run bench -- open-orders 5000` takes fewer orders; the first
// figure is then scaled.
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { createClient } from '@comanda/client';
import { managerCredentials } from '@comanda/testing/credentials';
import { until } from '@comanda/testing/until';
import { storedOrder } from './orders/stored-order.ts';
import { startBenchStack } from './stack.ts';
import { limit } from './support.ts';

const goal = 100_000;
const count = Number(process.argv[3] ?? goal);
const portion = 5_000;

const stack = await startBenchStack();
const mongo = await new mongoose.mongo.MongoClient(stack.servers.mongodbUri).connect();
const orders = mongo.db(`${stack.servers.database}_orders`).collection('pedidos');
for (let first = 1; first <= count; first += portion) {
  const length = Math.min(portion, count - first + 1);
  await orders.insertMany(
    Array.from({ length }, (_, index) => storedOrder(first + index) as never),
    { ordered: false },
  );
}

const reads = { pages: 0 };
const { fetch: send } = globalThis;
globalThis.fetch = (...request) => {
  const [input] = request;
  const url = input instanceof Request ? input.url : String(input);
  if (url.includes('/orders?')) reads.pages++;
  return send(...request);
};
const client = createClient({ url: stack.gatewayUrl, feedUrls: [stack.notifierUrl] });
await client.signIn(managerCredentials);

const begun = performance.now();
const known = { orders: 0 };
const live = client.liveOrders({
  statuses: ['received', 'preparing', 'ready'],
  onChange: (all) => void (known.orders = all.length),
});
await until(() => live.isComplete() && known.orders === count, { what: 'the whole list', timeoutMs: 600_000 });
const seconds = (performance.now() - begun) / 1_000;

await limit({
  name: 'open-orders',
  what: 'until a client has the list of 100,000 open orders',
  unit: 's',
  rounds: 1,
  atMost: 90,
  ours: async () => (seconds * goal) / count,
});
await limit({
  name: 'open-orders-idle',
  what: 'pages of /orders that this client reads in a minute in which nothing changes',
  unit: 'pages',
  rounds: 1,
  atMost: 0,
  ours: async () => {
    await pause(15_000); // the checksum in the feed's status is a few seconds old
    reads.pages = 0;
    await pause(60_000);
    return reads.pages;
  },
});
live.close();
client.close();
await mongo.close();
await stack.close();
