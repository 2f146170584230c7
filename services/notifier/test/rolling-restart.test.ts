import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPublisher, toMessage } from '@comanda/shared/messaging/publisher';
import type { Publisher } from '@comanda/shared/messaging/publisher';
import { startBalancer } from '@comanda/testing/balancer';
import type { Balancer } from '@comanda/testing/balancer';
import { orderCreated } from '@comanda/testing/event-factories';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startServiceProcess } from '@comanda/testing/service-process';
import type { ServiceProcess } from '@comanda/testing/service-process';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { startTestIssuer } from '@comanda/testing/test-issuer';
import type { TestClaims, TestIssuer } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';
import { startCrowd } from './support/crowd.ts';
import type { Crowd } from './support/crowd.ts';

const clientCount = 1000;
const publishEveryMs = 200;
/** The seating of an order: of each three, one has none and two belong to one seating each. */
const seatingOf = (orderId: number): number | null => [null, 88, 89][orderId % 3] ?? null;
/** Half of the clients are staff, who hear every order. The others are guests of the two seatings. */
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
  // A cursor of an empty stream is valid only at the instance that gave it.
  await publisher.publish([toMessage(orderCreated({ orderId: 0 }))]);
  const env = { RABBITMQ_URL: rabbitmqUrl, JWKS_URL: issuer.jwksUrl, LOG_LEVEL: 'error' };
  instances = await Promise.all([startServiceProcess('notifier', env), startServiceProcess('notifier', env)]);
  await Promise.all(instances.map(({ ready }) => ready()));
  balancer = await startBalancer(instances.map(({ url }) => url));
}, 60_000);
afterAll(async () => {
  await Promise.all(crowds.map((crowd) => crowd.end()));
  await balancer.close();
  await publisher.close();
  await Promise.all(instances.map((instance) => instance.end('SIGKILL')));
  await issuer.close();
}, 30_000);

/** Publishes one event at a time until stopped. `stop` resolves with their number when the broker has stored them all. */
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

/** Two processes: on a busy machine, a single one with 1,000 clients gets too little time and reconnects in bursts. */
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

/** Stops an instance with SIGTERM and starts it again. Returns how long after the signal each of its clients reconnected. */
async function restart(instance: ServiceProcess): Promise<number[]> {
  const before = balancer.connectedAt.length;
  const stoppedAt = performance.now();
  await instance.end('SIGTERM');
  await untilAllLive(20_000);
  const reconnectedAt = balancer.connectedAt.slice(before).toSorted((a, b) => a - b);
  await instance.start();
  await instance.ready();
  return reconnectedAt.map((at) => at - stoppedAt);
}

/**
 * The largest time by which a client reconnected before it was due, in milliseconds: an instance may close the nth of its
 * sockets when n in so many of its window have passed. A busy machine makes it late, never early.
 */
function tooEarlyMs(reconnectedAfterMs: readonly number[], windowMs: number): number {
  const dueAfterMs = reconnectedAfterMs.map((_, index) => (index / reconnectedAfterMs.length) * windowMs);
  return Math.max(...reconnectedAfterMs.map((ms, index) => (dueAfterMs[index] ?? 0) - ms));
}

test('when two instances with 1,000 clients are restarted in turn, then clients reconnect spread over the window and miss nothing', async () => {
  const claims = Array.from({ length: clientCount }, (_, index) => claimsOf(index));
  crowds = startCrowds(claims.map((each) => issuer.token(each)));
  await untilAllLive(30_000);

  const load = publishSteadily();
  const reconnects: number[][] = [];
  for (const instance of instances) reconnects.push(await restart(instance));
  const published = await load.stop();

  const orderIds = Array.from({ length: published }, (_, index) => index + 1);
  const expected = claims.map((each) => orderIds.filter((orderId) => mayHear(each, orderId)));
  const total = expected.flat().length;
  await until(async () => (await sumOf('received')) >= total, { what: 'all events to arrive', timeoutMs: 15_000 });
  const records = (await Promise.all(crowds.map((crowd) => crowd.records()))).flat();
  expect(records.filter(({ received }, index) => received.join() !== expected[index]?.join())).toEqual([]);
  expect(records.filter(({ gaps }) => gaps > 0)).toEqual([]);
  expect(records.filter(({ refusals }) => refusals > 0)).toEqual([]);

  // The first instance has about half of the clients, the second all of them. Each reconnects once.
  const [first = [], second = []] = reconnects;
  expect(first.length).toBeGreaterThan(clientCount * 0.4);
  expect(second.length).toBe(clientCount);
  expect(records.reduce((sum, { connections }) => sum + connections, 0)).toBe(
    clientCount + first.length + second.length,
  );

  for (const reconnectedAfterMs of [first, second]) {
    const windowMs = 10 * reconnectedAfterMs.length;
    expect(tooEarlyMs(reconnectedAfterMs, windowMs)).toBeLessThan(0);
    // Nor are they all closed at the end: the first quarter has reconnected long before it.
    expect(reconnectedAfterMs[Math.floor(reconnectedAfterMs.length / 4)]).toBeLessThan(windowMs);
  }
}, 120_000);
