import { CallFailure, type Client, type FeedEvent, type FeedHandlers } from '@comanda/client';
import type { Table } from '@comanda/contracts/tables';
import { expect, jest, test } from '@jest/globals';
import { deferred } from '@comanda/testing/deferred';
import { followTables } from './follow-tables.ts';

const at = '2026-11-20T21:00:00.000Z';
const tableOf = (version: number, part: Partial<Table>) =>
  ({ table: '7', version, rotated_at: at, seating: null, seated_at: null, status: 'free', ...part }) as Table;
const seated = (version: number): Table => tableOf(version, { status: 'seated', seating: 3, seated_at: at });

/** Tables that are followed over a feed which the test speaks for; their calls are answered when the test says. */
async function follow(found: Table) {
  let handlers: Partial<FeedHandlers> = {};
  const answered = deferred<Table>();
  const client = {
    calls: {
      listTables: () => Promise.resolve([found]),
      closeTable: () => answered.promise,
      openTable: () => answered.promise,
    },
    feed: (given: FeedHandlers) => {
      handlers = given;
      return { close: () => undefined };
    },
    now: Date.now,
  } as unknown as Client;
  const followed = followTables(client);
  await new Promise(setImmediate);
  return {
    ...followed,
    tell: (table: Table): void =>
      handlers.onEvent?.({ type: 'table.changed', data: { table } } as unknown as FeedEvent, 'cursor'),
    answer: answered.resolve,
    status: () => followed.tables.value.map(({ status }) => status).join(),
  };
}

test('when the feed tells that a closed table is to be cleaned before the closing is answered, then it is to be cleaned', async () => {
  const { end, tell, answer, status, close } = await follow(seated(4));
  const closing = end(seated(4));
  tell(tableOf(5, { status: 'to_clean' }));
  answer(seated(4));
  await closing;
  expect(status()).toBe('to_clean');
  close();
});

test('when the closing is answered before the feed tells of it, then the table is free at once', async () => {
  const { end, tell, answer, status, close } = await follow(seated(4));
  answer(seated(4));
  await end(seated(4));
  expect(status()).toBe('free');
  tell(tableOf(5, { status: 'to_clean' }));
  expect(status()).toBe('to_clean');
  close();
});

test('when an opened table is closed by somebody else before its opening is answered, then it is not shown as seated', async () => {
  const { open, tell, answer, status, close } = await follow(tableOf(3, {}));
  const opening = open(tableOf(3, {}));
  tell(seated(4));
  tell(tableOf(5, {}));
  answer(seated(4));
  await opening;
  expect(status()).toBe('free');
  close();
});

test('tables that could not be read are said to be missing, and read again soon', async () => {
  jest.useFakeTimers();
  const refused = new CallFailure('no network', { code: 'unreachable', outcome: 'none' });
  const listTables = jest
    .fn<() => Promise<Table[]>>()
    .mockRejectedValueOnce(refused)
    .mockResolvedValue([seated(1)]);
  const client = { calls: { listTables }, feed: () => ({ close: () => undefined }), now: Date.now };
  const { tables, failure, readAtMs, close } = followTables(client as unknown as Client);
  await jest.advanceTimersByTimeAsync(1);
  const before = [failure.value, readAtMs.value];
  await jest.advanceTimersByTimeAsync(6000);
  close();
  jest.useRealTimers();

  expect(before).toEqual([refused, 0]);
  expect([failure.value, tables.value.length]).toEqual([null, 1]);
});
