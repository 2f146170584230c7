import mongoose from 'mongoose';
import { loadConfig } from '@comanda/shared/config/load-config';
import { createLogger } from '@comanda/shared/runtime/logger';
import { caller } from '@comanda/testing/call';
import type { Call, Called } from '@comanda/testing/call';
import { isolated } from '@comanda/testing/isolated';
import type { Isolated } from '@comanda/testing/isolated';
import { startTestIssuer } from '@comanda/testing/tokens';
import type { TestClaims, TestIssuer } from '@comanda/testing/tokens';
import { until } from '@comanda/testing/until';
import { gatewaySettings } from '../../../gateway/src/config.ts';
import { startGateway } from '../../../gateway/src/service.ts';
import { ordersSettings } from '../../src/config.ts';
import { startOrders } from '../../src/service.ts';
import { hearEvents } from '@comanda/testing/heard-events';
import type { Heard } from '@comanda/testing/heard-events';

const silent = createLogger({ service: 'orders', level: 'silent' });

type Running = { url: string; close: () => Promise<void> };
export type Orders = {
  /** The service itself. */
  url: string;
  /** The gateway before it, through which all calls go. */
  base: string;
  own: Isolated;
  issuer: TestIssuer;
  as: (claims: TestClaims) => Call;
  manager: Call;
  waiter: Call;
  /** A plain client of the service's database. */
  db: mongoose.mongo.Db;
  events: Heard;
  /** One more instance on the same database and broker. */
  another: () => Promise<Running>;
  /** Adds a dish, under a name of its own unless it is given one; its id. */
  dish: (fields?: Record<string, unknown>) => Promise<number>;
  close: () => Promise<void>;
};

/** The service behind a gateway, on its own database and virtual host, with an issuer of tokens and an ear on its events. */
export async function startOrdersHouse(name: string, env: Record<string, string> = {}): Promise<Orders> {
  const own = await isolated(name);
  const issuer = await startTestIssuer();
  const events = await hearEvents(own.rabbitmqUrl);
  const config = loadConfig(ordersSettings, {
    PORT: '0',
    JWKS_URL: issuer.jwksUrl,
    MONGODB_URI: own.mongodbUri,
    MONGODB_DATABASE: own.database,
    RABBITMQ_URL: own.rabbitmqUrl,
    ...env,
  });
  const running: Running[] = [];
  const start = async (): Promise<Running> => {
    const service = await startOrders(config, silent);
    running.push(service);
    await ready(service.url);
    return service;
  };
  const { url } = await start();
  const gateway = await startGateway(gatewayBefore(url, own, issuer), silent);
  running.push(gateway);
  const base = gateway.url;
  const client = await new mongoose.mongo.MongoClient(own.mongodbUri).connect();
  const as = (claims: TestClaims): Call => caller(base, { token: issuer.token(claims) });
  const manager = as({ sub: 900_001, role: 'manager', name: 'Marta' });
  let dishes = 0;
  return {
    url,
    base,
    own,
    issuer,
    as,
    manager,
    waiter: as({ sub: 900_002, role: 'waiter', name: 'Wanda' }),
    db: client.db(config.mongodbDatabase),
    events,
    another: start,
    dish: async (fields = {}) => {
      const body = { name: `Dish ${++dishes}`, price: '10.00', ...fields };
      return created(await manager('POST', '/menu', { body })).id;
    },
    close: async () => {
      await Promise.all(running.toReversed().map((each) => each.close()));
      await events.close();
      await client.close();
      await issuer.close();
    },
  };
}

const gatewayBefore = (url: string, own: Isolated, issuer: TestIssuer) =>
  loadConfig(gatewaySettings, {
    PORT: '0',
    ORDERS_URL: url,
    JWKS_URL: issuer.jwksUrl,
    REDIS_URL: own.redisUrl,
    REDIS_PREFIX: own.redisPrefix,
    RATE_LIMIT_USER: '1000000',
    RATE_LIMIT_ADDRESS: '1000000',
  });

export const ready = async (url: string): Promise<void> =>
  void (await until(async () => (await fetch(`${url}/readyz`)).ok, { timeoutMs: 15_000, what: `${url} to be ready` }));

/** The body of a 201; anything else fails the test. */
export function created({ status, body, text }: Called): Called['body'] {
  if (status !== 201) throw new Error(`not created: ${status} ${text}`);
  return body;
}
