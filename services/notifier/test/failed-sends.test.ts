import { Socket as EngineSocket } from 'engine.io';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { orderCreated } from '@comanda/testing/event-factories';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness, type NotifierHarness } from './support/harness.ts';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

type Logged = { msg: string; id?: string; type?: string };
const linesAbout = ({ id }: CloudEvent): Logged[] =>
  harness
    .log()
    .map((line) => JSON.parse(line) as Logged)
    .filter((line) => line.id === id);

type Write = (this: EngineSocket, ...args: Parameters<EngineSocket['write']>) => EngineSocket;
/**
 * Makes the transport throw whenever this event is written to a client, until `heal` is called or it has thrown `times` times.
 */
function breakWritesOf({ id }: CloudEvent, times = Infinity): { heal: () => void } {
  const engine: { write: Write } = EngineSocket.prototype;
  const { write } = engine;
  const left = { times };
  engine.write = function (...args) {
    if (left.times <= 0 || !String(args[0]).includes(id)) return write.apply(this, args);
    left.times--;
    throw new RangeError('the transport is broken');
  };
  return { heal: () => (engine.write = write) };
}
/**
 * Makes the next allocation of at least `bytes` fail, as if there were no memory left. Frames of events are allocated with this
 * function.
 */
function failAllocationOnce(bytes: number): void {
  const memory: { allocUnsafeSlow: (size: number) => Buffer<ArrayBuffer> } = Buffer;
  const { allocUnsafeSlow } = memory;
  memory.allocUnsafeSlow = (size) => {
    if (size < bytes) return allocUnsafeSlow(size);
    memory.allocUnsafeSlow = allocUnsafeSlow;
    throw new RangeError('Array buffer allocation failed');
  };
}
const idsOf = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id);

describe("an event whose size can't be measured", () => {
  test('reaches its clients, like the events after it', async () => {
    const client = harness.connect(staff);
    await client.untilStatus('live');
    const [first, last] = [orderCreated({ orderId: 1 }), orderCreated({ orderId: 2 })];
    const poisoned = { ...first, id: crypto.randomUUID(), type: 'order.seen', data: null } as never as CloudEvent;

    await harness.publish(first, { ...poisoned, audience: 'staff' }, last);
    await client.untilEvents(3);

    expect(client.received).toEqual(['live', first.id, poisoned.id, last.id]);
    expect(linesAbout(poisoned)).toMatchObject([
      { type: 'order.seen', msg: 'an event was sent but could not be measured' },
    ]);
  });
});

describe("an event that can't be sent", () => {
  test('is replayed, in order, after the client was cut off', async () => {
    const [failing, other] = [harness.connect(staff), harness.connect({ sub: 5, role: 'customer' })];
    await Promise.all([failing, other].map((client) => client.untilStatus('live')));
    const events = [1, 2, 3].map((orderId) => orderCreated({ orderId }));
    const [, second = orderCreated({ orderId: 2 })] = events;
    const { heal } = breakWritesOf(second, 1);
    try {
      await harness.publish(...events);
      await failing.untilEvents(3);
      await failing.untilStatus('live');
      await other.untilEvents(3);
    } finally {
      heal();
    }

    expect(idsOf(failing.events)).toEqual(idsOf(events));
    expect(idsOf(other.events)).toEqual(idsOf(events));
    expect([failing, other].flatMap(({ notices }) => notices).map(({ status }) => status)).not.toContain('gap');
    expect(linesAbout(second)).toMatchObject([
      { type: 'order.created', msg: 'an event could not be sent to a client' },
    ]);
  });

  test("is replayed to all clients if its frame can't be encoded", async () => {
    const clients = [harness.connect(staff), harness.connect({ ...staff, sub: 2 })];
    await Promise.all(clients.map((client) => client.untilStatus('live')));
    const events = [1, 2, 3].map((orderId) => orderCreated({ orderId, remarks: 'x'.repeat(orderId === 2 ? 9000 : 1) }));
    const [, large = orderCreated({ orderId: 2 })] = events;
    failAllocationOnce(9000);

    await harness.publish(...events);
    for (const client of clients) await client.untilEvents(3);

    for (const client of clients) expect(idsOf(client.events)).toEqual(idsOf(events));
    expect(linesAbout(large)).toMatchObject([
      { type: 'order.created', msg: 'a change could not be sent, so all clients are cut off' },
    ]);
  });

  test("becomes a gap if the replay can't send it either", async () => {
    const client = harness.connect(staff);
    await client.untilStatus('live');
    const [first, poisoned, last] = [1, 2, 3].map((orderId) => orderCreated({ orderId }));
    if (!first || !poisoned || !last) throw new Error('three events are needed');
    const { heal } = breakWritesOf(poisoned);
    try {
      await harness.publish(first, poisoned);
      await until(() => client.received.includes('gap'), { what: 'the gap' });
      await client.untilStatus('live');
      await harness.publish(last);
      await client.untilEvents(2);
    } finally {
      heal();
    }

    expect(client.received.filter((each) => each !== 'replaying')).toEqual(['live', first.id, 'gap', 'live', last.id]);
    expect(linesAbout(poisoned)).toMatchObject([
      { type: 'order.created', msg: 'an event could not be sent to a client' },
      { type: 'order.created', msg: 'an event could not be replayed' },
    ]);
  });
});
