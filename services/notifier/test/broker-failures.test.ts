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
  await publisher.publish([toMessage(orderCreated({ orderId: 1 }))]); // the reader does not start on an empty stream
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

/** Publishes about a thousand events per second, one at a time, until `stop` is called. */
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

describe('a failing broker', () => {
  test.each(budget<NodeJS.Signals[]>(['SIGKILL'], ['SIGKILL', 'SIGTERM']))(
    "doesn't lose confirmed events when it gets a %s under load",
    async (signal) => {
      // With another queue bound to the same key, the broker confirms messages even if it has lost the stream.
      const connection = await connect(broker.url);
      connection.on('error', () => undefined); // the test kills the broker
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

      // Compares indexes instead of lists, because Jest takes too long to print the difference between lists of thousands of
      // items.
      const first = [...readIds()].filter((id) => requested.has(id));

      expect(first.findIndex((id, index) => id !== load.requested[index])).toBe(-1);
      expect(first.length).toBe(load.requested.length);

      const offsets = reader.record.messages.map(({ offset }) => offset);

      expect(offsets.findIndex((offset, index) => index > 0 && offset <= (offsets[index - 1] ?? 0))).toBe(-1);
    },
  );

  test('is noticed by the publisher and by the reader if it freezes', async () => {
    const load = publishSteadily();
    await until(() => load.confirmed.size > 100, { what: 'the load to run' });

    broker.kill('SIGSTOP');
    try {
      await until(() => !publisher.isUp() && reader.state() === 'lost', {
        what: 'both to be down',
        timeoutMs: 20_000,
      });

      await pause(500); // During this pause, they connect to the frozen broker, which accepts connections but does not respond.
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

  test("doesn't lose events during a memory alarm", async () => {
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
