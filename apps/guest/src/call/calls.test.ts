import { CallFailure } from '@comanda/client/core';
import type { TableCall } from '@comanda/contracts/calls';
import { liveClient, nextTurn } from '@comanda/testing/live-client';
import { until } from '@comanda/testing/until';
import { expect, test } from '@jest/globals';
import { signal } from '@preact/signals';
import type { Seat } from '../seat/seat.ts';
import { openCalls } from './calls.ts';

const callOf = (id: number, seating = 40): TableCall =>
  ({ id, kind: 'waiter', seating, status: 'open', version: 1, created_at: '2026-11-20T21:00:00.000Z' }) as TableCall;
const seat = { who: signal({ seating: 40 }) } as unknown as Seat;

test("only this table's calls are listed", async () => {
  const { client } = liveClient({ listCalls: async () => [callOf(1), callOf(2, 41)] });
  const calls = openCalls({ client, seat });
  await until(() => calls.waiting.value.length > 0, { what: 'the calls' });
  const found = calls.waiting.value.map(({ id }) => id);
  calls.close();

  expect(found).toEqual([1]);
});

const unreachable = new CallFailure('nobody there', { code: 'unreachable', outcome: 'unknown' });
const refused = new CallFailure('too many', { code: 'rate_limited', outcome: 'none' });

test.each([
  { response: 'no response', list: 'it', failure: unreachable, listed: [callOf(1)], expected: [true, null] },
  { response: 'no response', list: 'no call', failure: unreachable, listed: [], expected: [false, 'call'] },
  { response: 'no response', list: 'no response', failure: unreachable, listed: null, expected: [false, 'unsure'] },
  { response: 'a rejection', list: 'no call', failure: refused, listed: [], expected: [false, 'call'] },
])('a call with $response is reported correctly if the list has $list', async (each) => {
  const { client, emit } = liveClient({
    call: () => Promise.reject(each.failure),
    updateCall: () => Promise.reject(refused),
    listCalls: () => (each.listed === null ? Promise.reject(unreachable) : Promise.resolve(each.listed)),
  });
  const calls = openCalls({ client, seat });
  const made = await calls.make({ kind: 'waiter' });
  const found = [made, calls.failure.value];

  // The waiter was called despite the failure, and the call can't be withdrawn.
  emit('call.changed', { call: callOf(1) });
  await nextTurn();
  const onceCalled = calls.failure.value;
  await calls.takeBack(callOf(1));
  const onceTakenBack = calls.failure.value;
  calls.forgetFailure();
  calls.close();

  expect(found).toEqual(each.expected);
  expect([onceCalled, onceTakenBack, calls.failure.value]).toEqual([null, 'takeBack', null]);
});
