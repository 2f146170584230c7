import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'amqplib';
import { findTail, readStream } from '@comanda/shared/messaging/read-stream';
import { exchange } from '@comanda/shared/messaging/topology';
import { startTcpProxy } from '@comanda/testing/tcp-proxy';
import { startOwnBroker } from '@comanda/testing/own-broker';
import { startServiceProcess } from '@comanda/testing/service-process';
import { startTestIssuer, type TestClaims } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';
import { startWriters } from './torture-writers.ts';
import { startRoamingClient } from './torture-clients.ts';
import { judgeClient, judgeStream, type Reference } from './torture-verdict.ts';

export type TortureReport = {
  faults: string[];
  writes: number;
  events: number;
  duplicates: number;
  connections: number;
  gaps: number;
};
type Options = {
  mongodbUri: string;
  database: string;
  seconds: number;
  perSecond: number;
  /** True to stop the broker gracefully in addition to killing it. */
  stopsBroker: boolean;
};

/**
 * The size of each notifier's ring, in events. It is so small that staff often need the stream and customers sometimes get a gap.
 */
const ringEvents = 1000;

const allClaims: TestClaims[] = [
  ...Array.from({ length: 6 }, (_, index) => ({ sub: index + 1000, role: index % 2 ? 'manager' : 'waiter' }) as const),
  ...Array.from({ length: 8 }, (_, index) => ({ sub: 5 + (index % 5), role: 'customer' }) as const),
  ...Array.from({ length: 6 }, (_, index) => {
    return { sub: 2000 + index, role: 'customer', table: '12', seating: index % 2 ? 88 : 89 } as const;
  }),
];

/**
 * Writes orders with events while brokers and notifiers are stopped or killed and clients come and go. Afterwards, every event
 * must have arrived once and in order.
 */
export async function torture({
  mongodbUri,
  database,
  seconds,
  perSecond,
  stopsBroker,
}: Options): Promise<TortureReport> {
  let broker = await startOwnBroker();
  const issuer = await startTestIssuer();
  const env = {
    RABBITMQ_URL: broker.url,
    JWKS_URL: issuer.jwksUrl,
    LOG_LEVEL: 'error',
    FEED_RING_EVENTS: String(ringEvents),
    DRAIN_WINDOW_MS: '500',
  };
  await bindAnotherQueue(broker.url);
  const proxy = await startTcpProxy(broker.url);
  const writers = await startWriters({ mongodbUri, database, rabbitmqUrl: proxy.url });
  // The stream must not be empty, because a client without any event cannot continue on another instance.
  const firstLoad = writers.start(perSecond);
  await until(() => writers.writes.length > 0, { what: 'the first order', timeoutMs: 20_000 });
  await firstLoad.stop();
  await writers.emptied();
  const [first, second] = await Promise.all([
    startServiceProcess('notifier', env),
    startServiceProcess('notifier', env),
  ]);
  await Promise.all([first.ready(), second.ready()]);
  const urls = [first.url, second.url];
  const roamingClients = allClaims.map((claims) =>
    startRoamingClient(claims, { token: issuer.token({ ...claims, lifetimeS: 7200 }), urls }),
  );
  try {
    const load = writers.start(perSecond);
    const share = (part: number): Promise<void> => pause(seconds * 1000 * part);
    const endBroker = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
      broker.kill(signal);
      await broker.exited;
      broker = await broker.startAgain();
    };
    await share(0.2);
    await endBroker('SIGKILL');
    await share(0.15);
    await first.end('SIGKILL');
    await first.start();
    await share(0.15);
    if (stopsBroker) await endBroker('SIGTERM');
    await share(0.15);
    await Promise.all([second.end('SIGTERM').then(second.start), endBroker('SIGKILL')]);
    await share(0.35);
    await load.stop();

    await writers.emptied();
    await Promise.all(roamingClients.map((client) => client.settle()));
    await until(() => roamingClients.every((client) => client.isLive()), { what: 'all to be live', timeoutMs: 20_000 });
    const stream = await readReference(broker.url);
    // Each client's record ends with a notice that has the newest cursor. Notices are sent every 15 s and after each reconnect.
    const accounts = roamingClients.map((client) => ({
      client,
      judge: () => judgeClient(client, stream, ringEvents),
    }));
    await until(() => accounts.every(({ judge }) => !judge().some((fault) => fault.includes('still owed'))), {
      what: 'all to have everything',
      timeoutMs: 10_000,
    }).catch(() => undefined); // the verdict lists the clients with missing events
    return {
      faults: [...judgeStream(stream, writers.writes), ...accounts.flatMap(({ judge }) => judge())],
      writes: writers.writes.length,
      events: stream.length,
      duplicates: stream.length - new Set(stream.map(({ id }) => id)).size,
      connections: roamingClients.reduce((sum, client) => sum + client.connections(), 0),
      gaps: roamingClients.flatMap(({ received }) => received.filter(({ kind }) => kind === 'gap')).length,
    };
  } finally {
    for (const client of roamingClients) client.close();
    await Promise.all([first.end('SIGKILL'), second.end('SIGKILL')]);
    await writers.close();
    await proxy.close();
    await issuer.close();
    await broker.discard();
  }
}

/**
 * Binds another queue. A broker that has lost the stream can then still route messages, so it confirms them without returning
 * any.
 */
async function bindAnotherQueue(url: string): Promise<void> {
  const connection = await connect(url);
  connection.on('error', () => undefined); // errors are expected, because tests kill this broker
  const channel = await connection.createChannel();
  await channel.assertQueue('audit', { durable: true });
  await channel.bindQueue('audit', exchange, '#');
  await connection.close();
}

async function readReference(url: string): Promise<Reference[]> {
  const connection = await connect(url);
  connection.on('error', () => undefined); // errors are expected, because tests kill this broker
  const all: Reference[] = [];
  const tail = await findTail(connection);
  for await (const portion of readStream(connection, { from: { offset: 0 }, prefetch: 1000 })) {
    if (portion === 'gap') throw new Error('the stream does not begin where it began');
    for (const { offset, id, content } of portion) {
      const { data } = JSON.parse(content.toString()) as { data?: Pick<Reference, 'order'> };
      all.push({ offset, id, order: data?.order ?? null });
    }
    if ((all.at(-1)?.offset ?? -1) >= tail) break;
  }
  await connection.close();
  return all;
}
