import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { orderCreated } from '../../../test/support/events.ts';
import { until } from '../../../test/support/until.ts';
import { staff, startHarness } from './support/harness.ts';
import type { Harness } from './support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

/** A client that does all that is right, then stops reading; it still could answer, if it read. */
async function openStuck(): Promise<{ socket: WebSocket; closed: Promise<unknown> }> {
  const socket = new WebSocket(`${harness.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  const closed = once(socket, 'close');
  await once(socket, 'open');
  socket.send(`40${JSON.stringify({ token: harness.token({ sub: 66, role: 'waiter' }) })}`);
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on('message', (data: Buffer) => {
    if (data.toString().includes('"live"')) resolve();
  });
  await promise;
  socket.pause();
  return { socket, closed };
}

describe('a client that stops reading', () => {
  test('when its buffer is full, then it is cut off, memory stays, and nobody else notices', async () => {
    const reader = harness.screen(staff);
    await reader.is('live');
    const stuck = await openStuck();
    const before = process.memoryUsage().rss;
    let published = 0;
    const isCutOff = async (): Promise<boolean> =>
      (await harness.metric('comanda_feed_slow_readers_total{outcome="cut_off"')) === 1;
    while (!(await isCutOff()) && published < 60_000) {
      const events = Array.from({ length: 200 }, () =>
        orderCreated({ orderId: ++published, remarks: 'x'.repeat(480) }),
      );
      await harness.publish(...events);
      await reader.has(published); // the others have everything, at once
    }

    expect(await isCutOff()).toBe(true);
    expect(reader.events.map(({ subject }) => Number(subject))).toEqual(
      Array.from({ length: published }, (_, index) => index + 1),
    );
    expect(reader.told.filter((said) => said === 'gap' || said === 'stalled')).toEqual([]);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000); // this process holds the ring and what was read
    await until(async () => (await harness.metric('comanda_feed_sockets')) === 1, { what: 'its socket to be gone' });
    stuck.socket.terminate();
    await stuck.closed;
  }, 60_000);
});

describe('a client that reads slowly', () => {
  test('when it falls behind, then it is given the rest as it reads it, all of it, in order', async () => {
    const slow = await openStuck();
    const got: number[] = [];
    slow.socket.on('message', (data: Buffer) => {
      const text = data.toString();
      if (text.startsWith('2')) slow.socket.send('3');
      const [name, event] = text.startsWith('42') ? (JSON.parse(text.slice(2)) as [string, { subject: string }]) : [];
      if (name === 'event') got.push(Number(event?.subject));
    });
    const wasBehind = async (): Promise<boolean> =>
      (await harness.metric('comanda_feed_slow_readers_total{outcome="behind"')) > 0;
    let published = 0;
    while (!(await wasBehind()) && published < 60_000) {
      const events = Array.from({ length: 200 }, () =>
        orderCreated({ orderId: ++published, remarks: 'x'.repeat(480) }),
      );
      await harness.publish(...events);
    }
    slow.socket.resume();

    await until(() => got.length >= published, { what: 'all to be read', timeoutMs: 15_000 });
    expect(got).toEqual(Array.from({ length: published }, (_, index) => index + 1));
    slow.socket.terminate();
    await slow.closed;
  }, 60_000);
});
