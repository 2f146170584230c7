import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPublisher, toMessage, type Publisher } from '@comanda/shared/messaging/publisher';
import { orderCreated } from '@comanda/testing/event-factories';
import { openFeedClient, type FeedClient } from '@comanda/testing/feed-client';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { startTestIssuer, type TestIssuer } from '@comanda/testing/test-issuer';
import { silentLogger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';

const events = 4000;
/** The size in bytes of an event for an order with 50 items and long notes. All events together take 150 MB. */
const eventBytes = 37_000;

let notifier: ServiceProcess;
let issuer: TestIssuer;
let publisher: Publisher;
const clients: FeedClient[] = [];
beforeAll(async () => {
  const { rabbitmqUrl } = await isolatedServers('memory');
  issuer = await startTestIssuer();
  publisher = createPublisher({ url: rabbitmqUrl, name: 'test', logger: silentLogger });
  await until(publisher.isUp, { what: 'the publisher' });
  // In a container with 192 MB, Node uses half of the memory for its heap.
  const settings = { RABBITMQ_URL: rabbitmqUrl, JWKS_URL: issuer.jwksUrl, NODE_OPTIONS: '--max-old-space-size=96' };
  notifier = await startServiceProcess('notifier', settings);
  await notifier.ready();
});
afterAll(async () => {
  for (const client of clients) client.close();
  await publisher.close();
  await notifier.end('SIGKILL');
  await issuer.close();
});

function connect(userId: number, after?: string): FeedClient {
  const client = openFeedClient(notifier.url, { token: issuer.token({ sub: userId, role: 'waiter' }), after });
  clients.push(client);
  return client;
}
/** Counts the client's events without storing them. */
function countEvents({ socket, events: received }: FeedClient): () => number {
  let count = 0;
  socket.on('event', () => {
    count++;
    received.length = 0;
  });
  return () => count;
}
/** Returns the process's peak memory in MB. */
function peakMemory(): number {
  const status = readFileSync(`/proc/${notifier.pid()}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

test('the notifier stays under 200 MB during a day of the largest events', async () => {
  const first = connect(1);
  await first.untilStatus('live');
  await publisher.publish([toMessage(orderCreated({ orderId: 1 }))]);
  await first.untilEvents(1);
  const oldestCursor = first.cursors[0];
  first.close();
  for (let id = 2; id <= events; id += 50) {
    const batch = Array.from({ length: 50 }, (_each, index) =>
      toMessage(orderCreated({ orderId: id + index, remarks: 'x'.repeat(eventBytes) })),
    );
    await publisher.publish(batch);
  }
  const whileRunning = peakMemory();

  await notifier.end('SIGTERM');
  await notifier.start();
  await notifier.ready();
  const replayed = [2, 3].map((userId) => connect(userId, oldestCursor));
  const counts = replayed.map(countEvents);
  const haveAll = (): boolean => counts.every((count) => count() >= events - 1);
  await until(haveAll, { what: 'all events at every client', timeoutMs: 60_000 });
  const afterRestart = peakMemory();

  expect(whileRunning).toBeLessThan(200);
  expect(afterRestart).toBeLessThan(200);
  expect(replayed.flatMap(({ received }) => received)).not.toContain('gap');
});
