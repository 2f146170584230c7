import mongoose from 'mongoose';
import { loadConfig } from '@comanda/shared/config/load-config';
import { caller, created, type Call } from '@comanda/testing/call';
import { isolatedServers, type IsolatedServers } from '@comanda/testing/isolated-servers';
import { testSecrets } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { reuseDatabases } from '@comanda/testing/reused-databases';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { startTestIssuer, type TestClaims, type TestIssuer } from '@comanda/testing/test-issuer';
import { createTestLogger } from '@comanda/testing/test-logger';
import { testResponseTimeLimitMs } from '@comanda/testing/patient';
import { until } from '@comanda/testing/until';
import { untilReady } from '@comanda/testing/until-ready';
import { prepareFor } from '@comanda/testing/prepare';
import { ordersSettings } from '../../src/config.ts';
import { ordersPreparation } from '../../src/preparation.ts';
import { startOrders } from '../../src/service.ts';

type Running = { url: string; close: () => Promise<void> };
export type OrdersHarness = {
  /** The service's own address. Calls to it don't go through the gateway. */
  url: string;
  servers: IsolatedServers;
  issuer: TestIssuer;
  as: (claims: TestClaims) => Call;
  manager: Call;
  waiter: Call;
  /** The service's database, connected through a client of the harness. */
  db: mongoose.mongo.Db;
  events: RecordedEvents;
  /** Starts another instance on the same database and broker. */
  startInstance: () => Promise<Running>;
  /** Adds a dish with these fields, and returns its id. The default name is unique. */
  createDish: (fields?: Record<string, unknown>) => Promise<number>;
  close: () => Promise<void>;
};

type Options = {
  settings?: Record<string, string>;
  clock?: () => number;
  /** The time after which a call gets a 503, in milliseconds. Outage tests use the production value. */
  responseTimeLimitMs?: number;
  /** True to start the service with a broker URL at which no broker runs. */
  isBrokerAway?: boolean;
};

/** Starts the orders service in this process, with its own database, virtual host and token issuer. */
export async function startOrdersHarness(
  name: string,
  {
    settings = {},
    clock = Date.now,
    isBrokerAway = false,
    responseTimeLimitMs = testResponseTimeLimitMs,
  }: Options = {},
): Promise<OrdersHarness> {
  const { servers, giveBack } = await reuseDatabases(await isolatedServers(name), 'orders');
  const issuer = await startTestIssuer();
  const events = await recordEvents(servers.rabbitmqUrl);
  const logger = createTestLogger('orders');
  const stack = stackSettings({ urls: { 'auth-stepup': issuer.url }, servers, secrets: testSecrets() });
  const config = loadConfig(ordersSettings, { ...stack.orders, MONGODB_DATABASE: servers.database, ...settings });
  const instances: Running[] = [];
  const startInstance = async (): Promise<Running> => {
    const service = await startOrders(config, logger, { clock, responseTimeLimitMs });
    instances.push(service);
    await untilReady(service.url);
    return service;
  };
  await prepareFor(config, ordersPreparation);
  const { url } = await startInstance();
  // Waits for the broker. While it is down, a dish's newer event replaces the older one, so tests would see too few events.
  if (!isBrokerAway)
    await until(() => isPublishing(url), { what: 'orders to be connected to RabbitMQ', timeoutMs: 60_000 });
  const client = await new mongoose.mongo.MongoClient(config.mongodbUri).connect();
  const as = (claims: TestClaims): Call => caller(url, { token: issuer.token(claims) });
  const manager = as({ sub: 900_001, role: 'manager', name: 'Marta' });
  let dishes = 0;
  return {
    url,
    servers,
    issuer,
    as,
    manager,
    waiter: as({ sub: 900_002, role: 'waiter', name: 'Wanda' }),
    db: client.db(config.mongodbDatabase),
    events,
    startInstance,
    createDish: async (fields = {}) => {
      const body = { name: `Dish ${++dishes}`, price: '10.00', ...fields };
      return created(await manager('POST', '/menu', { body })).id;
    },
    close: async () => {
      await Promise.all(instances.map((instance) => instance.close()));
      await events.close();
      await client.close();
      await issuer.close();
      giveBack();
    },
  };
}

async function isPublishing(url: string): Promise<boolean> {
  const { dependencies } = (await (await fetch(`${url}/readyz`)).json()) as { dependencies: Record<string, string> };
  return dependencies['rabbitmq'] === 'up';
}
