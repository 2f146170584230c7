import { CallFailure, type Client, type FeedHandlers } from '@comanda/client';
import type { TableCall } from '@comanda/contracts/calls';
import { until } from '@comanda/testing/until';
import { expect, jest, test } from '@jest/globals';
import { signal } from '@preact/signals';
import type { Seat } from '../seat/seat.ts';
import { openCalls } from './calls.ts';

const callOf = (id: number): TableCall =>
  ({ id, kind: 'waiter', seating: 40, status: 'open', version: 1 }) as TableCall;

test('when a call ends while the feed is gone, then it does not wait once the feed is live again', async () => {
  const server = { listed: [callOf(1), callOf(2)] };
  const opened: FeedHandlers[] = [];
  const client = {
    feed: (handlers: FeedHandlers) => {
      opened.push(handlers);
      return { close: () => {} };
    },
    calls: { listCalls: () => Promise.resolve(server.listed) },
  } as unknown as Client;
  const calls = openCalls({ client, seat: { who: signal({ seating: 40 }) } as unknown as Seat });
  const waiting = () => calls.waiting.value.map(({ id }) => id).join();
  const isLive = () => opened[0]?.onState?.({ kind: 'live' } as never);
  isLive();
  await until(() => waiting() === '1,2', { what: 'both calls' });

  server.listed = [callOf(2)];
  isLive();
  // What is told while the list is on its way stays.
  opened[0]?.onEvent?.({ type: 'call.changed', data: { call: callOf(3) } } as never, {} as never);
  await new Promise(setImmediate);
  const found = waiting();
  calls.close();

  expect(found).toBe('2,3');
});

test('calls that could not be read are read again, though the feed is live and no event comes', async () => {
  jest.useFakeTimers();
  const opened: FeedHandlers[] = [];
  const listCalls = jest
    .fn<() => Promise<TableCall[]>>()
    .mockRejectedValueOnce(unreachable)
    .mockResolvedValue([callOf(1)]);
  const client = {
    feed: (handlers: FeedHandlers) => {
      opened.push(handlers);
      return { close: () => {} };
    },
    calls: { listCalls },
  } as unknown as Client;
  const calls = openCalls({ client, seat: { who: signal({ seating: 40 }) } as unknown as Seat });
  opened[0]?.onState?.({ kind: 'live' } as never);
  await jest.advanceTimersByTimeAsync(6000);
  const found = calls.waiting.value.map(({ id }) => id);
  calls.close();
  jest.useRealTimers();

  expect(found).toEqual([1]);
});

const unreachable = new CallFailure('nobody there', { code: 'unreachable', outcome: 'unknown' });
const refused = new CallFailure('too many', { code: 'rate_limited', outcome: 'none' });

test.each([
  { answer: 'no answer', list: 'it', failure: unreachable, listed: [callOf(1)], expected: [true, null] },
  { answer: 'no answer', list: 'no call', failure: unreachable, listed: [], expected: [false, 'call'] },
  { answer: 'no answer', list: 'no answer', failure: unreachable, listed: null, expected: [false, 'unsure'] },
  { answer: 'a refusal', list: 'no call', failure: refused, listed: [], expected: [false, 'call'] },
])('when a call has $answer and the list $list, then it fails as far as that tells', async (each) => {
  const opened: FeedHandlers[] = [];
  const client = {
    feed: (handlers: FeedHandlers) => {
      opened.push(handlers);
      return { close: () => {} };
    },
    calls: {
      call: () => Promise.reject(each.failure),
      updateCall: () => Promise.reject(refused),
      listCalls: () => (each.listed === null ? Promise.reject(unreachable) : Promise.resolve(each.listed)),
    },
  } as unknown as Client;
  const calls = openCalls({ client, seat: { who: signal({ seating: 40 }) } as unknown as Seat });
  const made = await calls.make({ kind: 'waiter' });
  const found = [made, calls.failure.value];

  // It was made all the same, and cannot be taken back.
  opened[0]?.onEvent?.({ type: 'call.changed', data: { call: callOf(1) } } as never, {} as never);
  const onceCalled = calls.failure.value;
  await calls.takeBack(callOf(1));
  const onceTakenBack = calls.failure.value;
  calls.forgetFailure();
  calls.close();

  expect(found).toEqual(each.expected);
  expect([onceCalled, onceTakenBack, calls.failure.value]).toEqual([null, 'takeBack', null]);
});
