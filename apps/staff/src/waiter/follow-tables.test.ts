import { CallFailure } from '@comanda/client/core';
import type { Table } from '@comanda/contracts/tables';
import { deferred } from '@comanda/testing/deferred';
import { liveClient, nextTurn } from '@comanda/testing/live-client';
import { until } from '@comanda/testing/until';
import { expect, test } from '@jest/globals';
import { followTables } from './follow-tables.ts';

const at = '2026-11-20T21:00:00.000Z';
const tableOf = (version: number, part: Partial<Table>) =>
  ({ table: '7', version, rotated_at: at, seating: null, seated_at: null, status: 'free', ...part }) as Table;
const seated = (version: number): Table => tableOf(version, { status: 'seated', seating: 3, seated_at: at });

/** Follows a single table. The test controls the feed and the responses to calls. */
async function follow(first: Table) {
  const listed = { now: first };
  const response = deferred<Table>();
  const { client, emit } = liveClient({
    listTables: async () => [listed.now],
    closeTable: () => response.promise,
    openTable: () => response.promise,
  });
  const followed = followTables(client);
  await until(() => followed.tables.value.length > 0, { what: 'the table' });
  return {
    ...followed,
    emit: async (table: Table): Promise<void> => {
      emit('table.changed', { table });
      await nextTurn();
    },
    respond: (table: Table, change: Table = listed.now): void => {
      listed.now = change;
      response.resolve(table);
    },
    status: () => followed.tables.value.map(({ status }) => status).join(),
  };
}

test('a table still needs cleaning if the response to closing it arrives late', async () => {
  const { end, emit, respond, status, close } = await follow(seated(4));
  const closing = end(seated(4));
  await emit(tableOf(5, { status: 'to_clean' }));
  respond(seated(4));
  await closing;
  expect(status()).toBe('to_clean');
  close();
});

test('a table is free as soon as the request to close it has a response', async () => {
  const { end, respond, status, close } = await follow(seated(4));
  respond(seated(4), tableOf(5, {}));
  await end(seated(4));
  expect(status()).toBe('free');
  close();
});

test('a table that another waiter has closed is not shown as seated if the response to opening it arrives late', async () => {
  const { open, emit, respond, status, close } = await follow(tableOf(3, {}));
  const opening = open(tableOf(3, {}));
  await emit(seated(4));
  await emit(tableOf(5, {}));
  respond(seated(4));
  await opening;
  expect(status()).toBe('free');
  close();
});

test('tables that could not be loaded are reported as missing until they are', async () => {
  const refused = new CallFailure('no network', { code: 'unreachable', outcome: 'none' });
  const responses = [Promise.reject(refused), Promise.resolve([seated(1)])];
  const { client } = liveClient({ listTables: async () => await (responses.shift() ?? [seated(1)]) });
  const { tables, failure, loadedAtMs, close } = followTables(client);
  await until(() => failure.value !== null, { what: 'the failure' });
  const before = [failure.value, loadedAtMs.value];
  await until(() => tables.value.length === 1, { what: 'the table' });
  close();

  expect(before).toEqual([refused, 0]);
  expect(failure.value).toBeNull();
});
