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

const sockets = 1000;
const publishEveryMs = 200;
/** Of an order: whose it is, in turn nobody's and of two seatings. */
const seatingOf = (orderId: number): number | null => [null, 88, 89][orderId % 3] ?? null;
/** Half of them staff, who hear everything, the others guests of the two seatings. */
const claimsOf = (index: number): TestClaims =>
  index % 2 === 0
    ? { sub: 1000 + index, role: 'waiter' }
    : { sub: 1000 + index, role: 'customer', table: '12', seating: 88 + (index % 4 === 1 ? 0 : 1) };
const owes = ({ role, seating }: TestClaims, orderId: number): boolean =>
  role !== 'customer' || seatingOf(orderId) === seating;

let issuer: TestIssuer;
let publisher: Publisher;
let instances: ServiceProcess[] = [];
let balancer: Balancer;
let crowd: Crowd | undefined;

beforeAll(async () => {
  const { rabbitmqUrl } = await isolatedServers('rolling');
  issuer = await startTestIssuer();
  publisher = createPublisher({ url: rabbitmqUrl, name: 'test', logger });
  // A cursor of a stream that was empty is good with the instance that gave it, and with no other.
  await publisher.publish([toMessage(orderCreated({ orderId: 0 }))]);
  const env = { RABBITMQ_URL: rabbitmqUrl, JWKS_URL: issuer.jwksUrl, LOG_LEVEL: 'error' };
  instances = await Promise.all([startServiceProcess('notifier', env), startServiceProcess('notifier', env)]);
  await Promise.all(instances.map(({ ready }) => ready()));
  balancer = await startBalancer(instances.map(({ url }) => url));
}, 60_000);
afterAll(async () => {
  await crowd?.end();
  await balancer.close();
  await publisher.close();
  await Promise.all(instances.map((instance) => instance.end('SIGKILL')));
  await issuer.close();
}, 30_000);

/** One event at a time until told to stop; resolves with how many it were when the broker has them all. */
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
const allLive = (clients: Crowd, timeoutMs: number): Promise<unknown> =>
  until(async () => (await clients.status()).live === sockets, { what: 'all clients to be live', timeoutMs });

/** Ends an instance in order and starts it again; when its sockets came back, from the first to the last. */
async function restart(instance: ServiceProcess, clients: Crowd): Promise<number[]> {
  const before = balancer.connectedAt.length;
  await instance.end('SIGTERM');
  await allLive(clients, 20_000);
  const back = balancer.connectedAt.slice(before);
  await instance.start();
  await instance.ready();
  return back.toSorted((a, b) => a - b);
}
/** The largest part of them that came within one second. */
function worstSecond(times: readonly number[]): number {
  const within = (start: number): number => times.filter((at) => at >= start && at < start + 1000).length;
  return Math.max(...times.map(within)) / times.length;
}

test('when instances are restarted one after the other under 1,000 clients, then these come back spread over the window and miss nothing', async () => {
  const claims = Array.from({ length: sockets }, (_, index) => claimsOf(index));
  const tokens = claims.map((each) => issuer.token(each));
  const clients = startCrowd({ url: balancer.url, tokens });
  crowd = clients;
  await allLive(clients, 30_000);

  const load = publishSteadily();
  const drains: number[][] = [];
  for (const instance of instances) drains.push(await restart(instance, clients));
  const published = await load.stop();

  const orderIds = Array.from({ length: published }, (_, index) => index + 1);
  const owed = claims.map((each) => orderIds.filter((orderId) => owes(each, orderId)));
  const total = owed.reduce((sum, { length }) => sum + length, 0);
  await until(async () => (await clients.status()).received >= total, { what: 'all to be told', timeoutMs: 15_000 });
  const records = await clients.records();
  expect(records.filter(({ received }, index) => received.join() !== owed[index]?.join())).toEqual([]);
  expect(records.filter(({ gaps }) => gaps > 0)).toEqual([]);

  // The first had half of the clients, the second all of them; each came back once, and nobody was turned away.
  expect(records.filter(({ refusals }) => refusals > 0)).toEqual([]);
  const [first = [], second = []] = drains;
  expect(first.length).toBeGreaterThan(sockets * 0.4);
  expect(second.length).toBe(sockets);
  expect(records.reduce((sum, { connections }) => sum + connections, 0)).toBe(sockets + first.length + second.length);
  // Evenly it would be a fifth and a tenth of them in a second.
  expect(worstSecond(first)).toBeLessThan(0.35);
  expect(worstSecond(second)).toBeLessThan(0.25);
}, 120_000);
