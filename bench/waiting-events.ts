// 1,000,000 orders whose events wait, as after an outage of RabbitMQ: seconds until all are published, while new orders
// are placed. `npm run bench -- waiting-events 20000` takes fewer orders; what they take is then scaled to a million.
import mongoose from 'mongoose';
import { loadConfig } from '@comanda/shared/config/load-config';
import { countWaiting } from '@comanda/shared/messaging/outbox-store';
import { toMessage } from '@comanda/shared/messaging/publisher';
import { createLogger } from '@comanda/shared/runtime/logger';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { orderCreated } from '@comanda/testing/event-factories';
import { prepareFor } from '@comanda/testing/prepare';
import { testSecrets } from '@comanda/testing/test-secrets';
import { startTestIssuer } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';
import { ordersSettings } from '../services/orders/src/config.ts';
import { ordersPreparation } from '../services/orders/src/preparation.ts';
import { startOrders } from '../services/orders/src/service.ts';
import { storedOrder } from './orders/stored-order.ts';
import { startBenchServers } from './stack.ts';
import { limit } from './support.ts';

const million = 1_000_000;
const count = Number(process.argv[3] ?? million);
const maxSeconds = 600;
const portion = 5_000;

const servers = await startBenchServers();
const issuer = await startTestIssuer();
const client = await new mongoose.mongo.MongoClient(servers.mongodbUri).connect();
const secrets = testSecrets();

async function startWith(rabbitmqUrl: string) {
  const options = { urls: { 'auth-stepup': issuer.url }, servers: { ...servers, rabbitmqUrl }, secrets };
  const { orders: settings } = stackSettings(options);
  const config = loadConfig(ordersSettings, settings);
  await prepareFor(config, ordersPreparation);
  const service = await startOrders(config, createLogger({ service: 'bench', level: 'silent' }));
  await until(async () => (await fetch(`${service.url}/readyz`)).ok, { what: 'orders', timeoutMs: 60_000 });
  return { ...service, orders: client.db(settings['MONGODB_DATABASE']).collection('pedidos') };
}

async function drain(): Promise<number> {
  const withoutBroker = await startWith('amqp://127.0.0.1:1');
  await withoutBroker.close();
  const { orders } = withoutBroker;
  await orders.deleteMany({});
  for (let first = 1; first <= count; first += portion) {
    const documents = Array.from({ length: Math.min(portion, count - first + 1) }, (_, index) => ({
      ...storedOrder(first + index),
      outbox: [toMessage(orderCreated({ orderId: first + index, remarks: 'x'.repeat(400) }))],
    }));
    await orders.insertMany(documents as never[], { ordered: false, writeConcern: { w: 1 } });
    if (first % 100_000 === 1) process.stderr.write(`  ${first + documents.length - 1} of ${count} orders stored\n`);
  }
  const service = await startWith(servers.rabbitmqUrl);
  const begun = performance.now(); // it has just connected to RabbitMQ
  const isDone = async (): Promise<boolean> => (await countWaiting(orders)) === 0;
  await until(isDone, { what: 'an empty outbox', timeoutMs: 4 * maxSeconds * 1_000 });
  const seconds = (performance.now() - begun) / 1_000;
  await service.close();
  return (seconds * million) / count;
}

await limit({
  name: 'waiting-events',
  what: 'until the events of 1,000,000 orders that wait are published',
  unit: 's',
  rounds: 1,
  atMost: maxSeconds,
  ours: drain,
});
await client.close();
await issuer.close();
await servers.stop();
