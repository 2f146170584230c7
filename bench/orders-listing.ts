// `GET /orders?status=` over HTTP with 1,000,000 orders against 1,000, and the number of index keys that a page reads.
import { statuses, type OrderStatus } from '@comanda/contracts/orders';
import { createLogger } from '@comanda/shared/runtime/logger';
import { loadConfig } from '@comanda/shared/config/load-config';
import mongoose from 'mongoose';
import { ordersSettings } from '../services/orders/src/config.ts';
import { pageFilter, pageHint } from '../services/orders/src/orders/order-page-query.ts';
import { ordersPreparation } from '../services/orders/src/preparation.ts';
import { startOrders } from '../services/orders/src/service.ts';
import { prepareFor } from '@comanda/testing/prepare';
import { testSecrets } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { startOwnServer } from '@comanda/testing/own-server';
import { startTestIssuer } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';
import { storedOrder } from './orders/stored-order.ts';
import { compare, limit, percentile } from './support.ts';

const many = 1_000_000;
const few = 1000;
const asked: readonly OrderStatus[] = ['ready', 'preparing'];
const pageSize = 50;

const mongod = await startOwnServer('mongodb');
const issuer = await startTestIssuer();
const client = await new mongoose.mongo.MongoClient(mongod.url).connect();
const token = issuer.token({ sub: 1, role: 'waiter', lifetimeS: 36_000 });

/** Starts the service on its own database with `count` orders. */
async function startWith(count: number) {
  const database = `bench_${count}`;
  const servers = { mongodbUri: mongod.url, database, redisUrl: '', rabbitmqUrl: 'amqp://127.0.0.1:1' };
  const { orders: settings } = stackSettings({ urls: { 'auth-stepup': issuer.url }, servers, secrets: testSecrets() });
  const config = loadConfig(ordersSettings, settings);
  await prepareFor(config, ordersPreparation);
  const service = await startOrders(config, createLogger({ service: 'bench', level: 'silent' }));
  await until(async () => (await fetch(`${service.url}/readyz`)).ok, { what: 'orders', timeoutMs: 20_000 });
  const orders = client.db(settings['MONGODB_DATABASE']).collection('pedidos', { writeConcern: { w: 1 } });
  const portion = 5000;
  for (let first = 1; first <= count; first += portion) {
    const length = Math.min(portion, count - first + 1);
    await orders.insertMany(
      Array.from(
        { length },
        (_, index) => storedOrder(first + index, statuses[(first + index) % statuses.length]) as never,
      ),
      { ordered: false },
    );
    if (first % 100_000 === 1) process.stderr.write(`  ${first + length - 1} of ${count} orders stored\n`);
  }
  return { ...service, orders };
}
type Service = Awaited<ReturnType<typeof startWith>>;

/** The median of 300 calls, one after the other, in ms. */
async function p50({ url }: Service, query: string): Promise<number> {
  const took: number[] = [];
  for (let call = 0; call < 350; call++) {
    const begun = performance.now();
    const answer = await fetch(`${url}/orders?${query}`, { headers: { authorization: `Bearer ${token}` } });
    const page = (await answer.json()) as unknown[];
    if (page.length !== pageSize) throw new Error(`a page of ${page.length}`);
    if (call >= 50) took.push(performance.now() - begun);
  }
  return percentile(took, 0.5);
}

const small = await startWith(few);
const large = await startWith(many);
const rows = {
  'orders-listing-by-status': `status=${asked.join(',')}`,
  'orders-listing-of-all': 'sort=created_at',
  'orders-listing-of-a-table': `table=12&status=${asked.join(',')}&limit=${pageSize}`,
};
for (const [name, query] of Object.entries(rows))
  await compare({
    name,
    what: `GET /orders?${query} with ${many} orders, p50`,
    unit: 'ms',
    ours: () => p50(large, query),
    peers: { [`with ${few}`]: { run: () => p50(small, query), atMost: 1.5 } },
  });
await limit({
  name: 'orders-listing-keys',
  what: `index keys that a page of ${pageSize} with ${asked.length} statuses reads, ${many} orders`,
  unit: 'keys',
  rounds: 1,
  atMost: pageSize + asked.length,
  ours: async () => {
    const page = {
      scope: { kind: 'all' as const },
      statuses: asked,
      table: undefined,
      from: undefined,
      to: undefined,
      newestFirst: true,
      after: undefined,
      limit: pageSize + 1,
    };
    const plan = await large.orders
      .find(pageFilter(page) as never, { sort: { dataHora: -1, _id: -1 }, limit: page.limit, ...pageHint(page) })
      .explain('executionStats');
    return plan['executionStats'].totalKeysExamined as number;
  },
});
await small.close();
await large.close();
await client.close();
await issuer.close();
await mongod.discard();
