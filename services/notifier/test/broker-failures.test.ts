import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import { createPublisher, toMessage, type Publisher } from '@comanda/shared/messaging/publisher';
import { exchange } from '@comanda/shared/messaging/topology';
import { budget } from '@comanda/testing/budget';
import { orderCreated } from '@comanda/testing/event-factories';
import { provokeAlarm, startOwnBroker } from '@comanda/testing/own-broker';
import type { OwnServer } from '@comanda/testing/own-server';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';
import { recordStream } from './support/recorded-stream.ts';

let broker: OwnServer;
let publisher: Publisher;
let reader: ReturnType<typeof recordStream>;

beforeAll(async () => {
  broker = await startOwnBroker();
  publisher = createPublisher({ url: broker.url, name: 'test', logger });
  await until(publisher.isUp, { what: 'the publisher to be up' });
  reader = recordStream({ url: broker.url, history: 100 });
  await reader.untilLive();
});
afterAll(async () => {
  await publisher.close();
  await reader.close();
  await broker.discard();
});

let stopLoad = (): void => undefined;
afterEach(() => stopLoad());

/** Publishes about a thousand events per second, one by one, until `stop` is called. */
function publishSteadily() {
  const requested: string[] = [];
  const confirmed = new Set<string>();
  const calls: Promise<void>[] = [];
  stopLoad = () => clearInterval(timer);
  const timer = setInterval(() => {
    for (let count = 0; count < 10; count++) {
      const message = toMessage(orderCreated({ orderId: requested.length + 1 }));
      requested.push(message.id);
      calls.push(publisher.publish([message]).then(() => void confirmed.add(message.id)));
    }
  }, 10);
  return {
    requested,
    confirmed,
    stop: async () => {
      stopLoad();
      await Promise.all(calls);
    },
  };
}
const readIds = (): Set<string> => new Set(reader.record.messages.map(({ id }) => id));
async function untilAllRead(requested: readonly string[]): Promise<void> {
  const isRead = (ids: ReadonlySet<string>): boolean => requested.every((id) => ids.has(id));
  await until(() => isRead(readIds()), { what: 'all events to be read' });
}

describe('broker failures', () => {
  test.each(budget<NodeJS.Signals[]>(['SIGKILL'], ['SIGKILL', 'SIGTERM']))(
    'after a %s under load and a restart, the stream has every confirmed event, in order of first appearance',
    async (signal) => {
      // If another queue is bound to the same key, a broker that cannot find the stream confirms messages and returns
      // none.
      const connection = await connect(broker.url);
      connection.on('error', () => undefined); // the broker is killed
      const channel = await connection.createChannel();
      await channel.assertQueue('audit', { durable: true });
      await channel.bindQueue('audit', exchange, '#');
      await connection.close();
      const load = publishSteadily();
      await until(() => load.confirmed.size > 500, { what: 'the load to run' });

      broker.kill(signal);
      await broker.exited;
      broker = await broker.startAgain();
      const before = load.confirmed.size;
      await until(() => load.confirmed.size > before + 2000, { what: 'the load to go on', timeoutMs: 20_000 });
      await load.stop();

      await untilAllRead(load.requested);
      const requested = new Set(load.requested);

      expect(reader.record.gaps).toBe(0);

      // Compares indexes instead of lists: Jest takes too long to print the difference of lists with thousands of items.
      const first = [...readIds()].filter((id) => requested.has(id));

      expect(first.findIndex((id, index) => id !== load.requested[index])).toBe(-1);
      expect(first.length).toBe(load.requested.length);

      const offsets = reader.record.messages.map(({ offset }) => offset);

      expect(offsets.findIndex((offset, index) => index > 0 && offset <= (offsets[index - 1] ?? 0))).toBe(-1);
    },
  );

  test('publisher and reader notice a frozen broker and recover when it resumes', async () => {
    const load = publishSteadily();
    await until(() => load.confirmed.size > 100, { what: 'the load to run' });

    broker.kill('SIGSTOP');
    try {
      await until(() => !publisher.isUp() && reader.state() === 'lost', {
        what: 'both to be down',
        timeoutMs: 20_000,
      });

      await pause(500); // in the meantime, they connect to the frozen broker, which accepts connections but does not respond
    } finally {
      broker.kill('SIGCONT');
    }
    await until(() => publisher.isUp() && reader.state() === 'live', {
      what: 'both to be up again',
      timeoutMs: 20_000,
    });
    await load.stop();
    await untilAllRead(load.requested);

    expect(reader.record.gaps).toBe(0);
  });

  test('a memory alarm takes the publisher down until the alarm ends, and all events are read, in order of first appearance', async () => {
    const load = publishSteadily();
    await until(() => load.confirmed.size > 100, { what: 'the load to run' });

    const endAlarm = await provokeAlarm(broker, 'memory');
    await until(() => !publisher.isUp(), { what: 'the publisher to be down' });
    const readerState = reader.state();
    await endAlarm();
    await until(publisher.isUp, { what: 'the publisher to be up again', timeoutMs: 20_000 });
    await load.stop();

    await untilAllRead(load.requested);
    const requested = new Set(load.requested);
    const first = [...readIds()].filter((id) => requested.has(id));
    expect(readerState).toBe('live');
    expect(first.findIndex((id, index) => id !== load.requested[index])).toBe(-1);
    expect(reader.record.gaps).toBe(0);
  });
});
