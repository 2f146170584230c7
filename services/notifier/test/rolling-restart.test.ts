import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPublisher, toMessage, type Publisher } from '@comanda/shared/messaging/publisher';
import { budget } from '@comanda/testing/budget';
import { startBalancer, type Balancer } from '@comanda/testing/balancer';
import { orderCreated } from '@comanda/testing/event-factories';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { startTestIssuer, type TestClaims, type TestIssuer } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';
import { startCrowd, type Crowd } from './support/crowd.ts';

const clientCount = budget(160, 1000);
const publishEveryMs = 200;
/** Returns an order's seating: none, 88 or 89 in turn. */
const seatingOf = (orderId: number): number | null => [null, 88, 89][orderId % 3] ?? null;
/**
 * Returns a client's claims. Half of the clients are staff and receive every order. The others are guests at the two seatings.
 */
const claimsOf = (index: number): TestClaims =>
  index % 2 === 0
    ? { sub: 1000 + index, role: 'waiter' }
    : { sub: 1000 + index, role: 'customer', table: '12', seating: index % 4 === 1 ? 88 : 89 };
const mayHear = ({ role, seating }: TestClaims, orderId: number): boolean =>
  role !== 'customer' || seatingOf(orderId) === seating;

let issuer: TestIssuer;
let publisher: Publisher;
let instances: ServiceProcess[] = [];
let balancer: Balancer;
let crowds: readonly Crowd[] = [];

beforeAll(async () => {
  const { rabbitmqUrl } = await isolatedServers('rolling');
  issuer = await startTestIssuer();
  publisher = createPublisher({ url: rabbitmqUrl, name: 'test', logger });
  // The first event is published before any client connects, because a cursor for an empty stream is valid only on its own
  // instance.
  await publisher.publish([toMessage(orderCreated({ orderId: 0 }))]);
  const limits = { FEED_LIMIT_ADDRESS: '3000', FEED_PENDING_LIMIT: '3000', FEED_PENDING_LIMIT_ADDRESS: '3000' };
  const env = { RABBITMQ_URL: rabbitmqUrl, JWKS_URL: issuer.jwksUrl, LOG_LEVEL: 'error', ...limits };
  instances = await Promise.all([startServiceProcess('notifier', env), startServiceProcess('notifier', env)]);
  await Promise.all(instances.map(({ ready }) => ready()));
  balancer = await startBalancer(instances.map(({ url }) => url));
});
afterAll(async () => {
  await Promise.all(crowds.map((crowd) => crowd.end()));
  await balancer.close();
  await publisher.close();
  await Promise.all(instances.map((instance) => instance.end('SIGKILL')));
  await issuer.close();
});

/**
 * Publishes one event at a time until `stop` is called. `stop` resolves to the number of events once the broker has stored them
 * all.
 */
function publishSteadily(): { stop: () => Promise<number> } {
  const published: Promise<void>[] = [];
  const timer = setInterval(() => {
    const orderId = published.length + 1;
    published.push(publisher.publish([toMessage(orderCreated({ orderId, seating: seatingOf(orderId) }))]));
  }, publishEveryMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(published);
      return published.length;
    },
  };
}

/**
 * Starts the clients in two processes. On a busy machine, one process with all clients would get too little CPU time, and its
 * clients would reconnect in bursts.
 */
function startCrowds(tokens: readonly string[]): readonly Crowd[] {
  const half = tokens.length / 2;
  return [tokens.slice(0, half), tokens.slice(half)].map((part) => startCrowd({ url: balancer.url, tokens: part }));
}
async function sumOf(field: 'live' | 'received'): Promise<number> {
  const statuses = await Promise.all(crowds.map((crowd) => crowd.status()));
  return statuses.reduce((sum, status) => sum + status[field], 0);
}
const untilAllLive = (timeoutMs: number): Promise<unknown> =>
  until(async () => (await sumOf('live')) === clientCount, { what: 'all clients to be live', timeoutMs });

/** Stops an instance with SIGTERM and starts it again. Returns the number of clients that have reconnected. */
async function restart(instance: ServiceProcess): Promise<number> {
  const before = balancer.connected();
  await instance.end('SIGTERM');
  await untilAllLive(20_000);
  const reconnected = balancer.connected() - before;
  await instance.start();
  await instance.ready();
  return reconnected;
}

test("clients don't miss any events while two instances restart one after the other", async () => {
  const claims = Array.from({ length: clientCount }, (_, index) => claimsOf(index));
  crowds = startCrowds(claims.map((each) => issuer.token(each)));
  await untilAllLive(30_000);

  const load = publishSteadily();
  const reconnects: number[] = [];
  for (const instance of instances) reconnects.push(await restart(instance));
  const published = await load.stop();

  const orderIds = Array.from({ length: published }, (_, index) => index + 1);
  const expected = claims.map((each) => orderIds.filter((orderId) => mayHear(each, orderId)));
  const total = expected.flat().length;
  await until(async () => (await sumOf('received')) >= total, { what: 'all events to arrive' });
  const records = (await Promise.all(crowds.map((crowd) => crowd.records()))).flat();
  expect(records.filter(({ received }, index) => received.join() !== expected[index]?.join())).toEqual([]);
  expect(records.filter(({ gaps }) => gaps > 0)).toEqual([]);
  expect(records.filter(({ refusals }) => refusals > 0)).toEqual([]);

  // The first restart disconnects some clients, and the second disconnects all. Each client reconnects only once per restart.
  const [first = 0, second = 0] = reconnects;
  expect(first).toBeGreaterThan(0);
  expect(second).toBe(clientCount);
  expect(records.reduce((sum, { connections }) => sum + connections, 0)).toBe(clientCount + first + second);
});
