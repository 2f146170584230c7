import { afterEach, expect, jest, test } from '@jest/globals';
import { CallFailure, type FeedHandlers } from '@comanda/client';
import type { TableCall } from '@comanda/contracts/calls';
import { followCalls } from './follow-calls.ts';

afterEach(() => void jest.useRealTimers());

const call = (id: number) => ({ id, version: 1, status: 'open', created_at: `2026-11-28T21:00:0${id}Z` }) as TableCall;

test('calls whose read fails are read again, even if an event has brought one', async () => {
  jest.useFakeTimers();
  let handlers: FeedHandlers = {};
  const listCalls = jest
    .fn<() => Promise<TableCall[]>>()
    .mockRejectedValueOnce(new CallFailure('503', { code: 'service_unavailable', outcome: 'none' }))
    .mockResolvedValue([call(1), call(2)]);
  const client = {
    calls: { listCalls },
    feed: (given: FeedHandlers) => {
      handlers = given;
      return { close: () => undefined };
    },
  };
  const calls = followCalls(client as never);
  handlers.onState?.({ kind: 'live', sinceMs: 0 });
  await jest.advanceTimersByTimeAsync(1);
  handlers.onEvent?.({ type: 'call.changed', data: { call: call(2) } } as never, '');
  const before = { ids: calls.waiting.value.map(({ id }) => id), isKnown: calls.failure.value === null };
  await jest.advanceTimersByTimeAsync(6_000);

  expect(before).toEqual({ ids: [2], isKnown: false });
  expect([calls.waiting.value.map(({ id }) => id), calls.failure.value]).toEqual([[1, 2], null]);
  calls.close();
});
