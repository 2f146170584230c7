import type { Client, FeedHandlers } from '@comanda/client';
import type { TableCall } from '@comanda/contracts/calls';
import { until } from '@comanda/testing/until';
import { expect, test } from '@jest/globals';
import { signal } from '@preact/signals';
import type { Seat } from '../seat/seat.ts';
import { openCalls } from './calls.ts';

const callOf = (id: number): TableCall => ({ id, seating: 40, status: 'open', version: 1 }) as TableCall;

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
