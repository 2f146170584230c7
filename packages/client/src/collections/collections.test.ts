import { afterEach, describe, expect, test } from '@jest/globals';
import type { TableCall } from '@comanda/contracts/calls';
import type { Ordering } from '@comanda/contracts/ordering';
import type { Station } from '@comanda/contracts/stations';
import type { Stops } from '@comanda/contracts/stops';
import type { Table } from '@comanda/contracts/tables';
import { deferred } from '@comanda/testing/deferred';
import { liveClient, nextTurn } from '@comanda/testing/live-client';
import { until } from '@comanda/testing/until';
import { calls } from './calls.ts';
import { ordering } from './ordering.ts';
import { stations } from './stations.ts';
import { stops } from './stops.ts';
import { tables } from './tables.ts';
import { unreachable } from '../call-failure.ts';
import type { Source } from '../live/source.ts';

const table = (name: string, change: Partial<Table> = {}): Table => ({
  table: name,
  status: 'free',
  seating: null,
  seated_at: null,
  version: 1,
  table_token: `token-${name}`,
  url: `http://localhost/?table=${name}`,
  rotated_at: '2026-11-20T18:00:00.000Z',
  ...change,
});
const station = (name: string, bumps: number): Station => ({
  station: name,
  bumps,
  amber_minutes: 5,
  late_minutes: 8,
  dishes: [],
});
const call = (id: number, change: Partial<TableCall> = {}): TableCall =>
  ({
    id,
    kind: 'waiter',
    note: null,
    method: null,
    table: '12',
    seating: 88,
    status: 'open',
    taken_by: null,
    placed_by: { id: 7, role: 'customer' },
    created_at: `2026-11-20T21:00:0${id}.000Z`,
    updated_at: '2026-11-20T21:00:00.000Z',
    done_at: null,
    version: 1,
    ...change,
  }) as TableCall;

const opened: { close: () => void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});
/** Opens a collection with a server and a feed that the test controls. */
async function open<T>(source: Source<T>, given: Parameters<typeof liveClient>[0]) {
  const { client, ...server } = liveClient(given);
  const collection = client.collection(source);
  opened.push(collection);
  await until(() => collection.state.value === 'complete', { what: 'all rows' });
  return { collection, client, ...server };
}

describe('a collection of tables', () => {
  test('applies an event to the table and keeps its code', async () => {
    const { collection, emit } = await open(tables, { listTables: async () => [table('12'), table('13')] });
    emit('table.changed', { table: { ...table('12'), status: 'seated', seating: 88, version: 2 } });
    await nextTurn();

    expect(collection.rows.value.find((each) => each.table === '12')).toMatchObject({
      seating: 88,
      table_token: 'token-12',
    });
  });

  test("shows a new code even if the table's version is lower", async () => {
    const recreated = table('12', { table_token: 'new', rotated_at: '2026-11-20T19:00:00.000Z' });
    const { collection, client } = await open(tables, {
      listTables: async () => [table('12', { version: 40 })],
      putTable: async () => recreated,
    });
    await client.calls.putTable({ table: '12' });

    expect(collection.rows.value).toEqual([recreated]);
  });

  test('ignores late events about a removed table whose name another table has now', async () => {
    const seated = table('12', { status: 'seated', seating: 88, version: 2 });
    const { collection, emit } = await open(tables, { listTables: async () => [seated] });
    emit('table.changed', { table: table('12', { version: 40 }) }, '2026-11-20T17:59:59.999Z');
    await nextTurn();

    expect(collection.rows.value).toEqual([seated]);
  });

  test('keeps a new code and a new table if an older list arrives after them', async () => {
    const older = deferred<Table[]>();
    const lists = [Promise.resolve([table('12')]), older.promise];
    const { collection, client } = await open(tables, {
      listTables: () => lists.shift() ?? older.promise,
      putTable: async ({ table: name }: { table: string }) =>
        table(name, name === '12' ? { url: 'new', rotated_at: '2026-11-20T19:00:00.000Z' } : {}),
    });
    void collection.load();
    await nextTurn();
    await client.calls.putTable({ table: '12' });
    await client.calls.putTable({ table: '13' });
    older.resolve([table('12')]);
    await nextTurn();

    expect(collection.rows.value.map(({ table: name, url }) => [name, url])).toEqual([
      ['12', 'new'],
      ['13', table('13').url],
    ]);
  });

  test('shows several new tables as soon as this client has added them', async () => {
    const { collection, client } = await open(tables, {
      listTables: async () => [table('12')],
      addTables: async () => ({ added: [table('13'), table('14')], existing: [table('12')] }),
    });
    await client.calls.addTables({ tables: ['12', '13', '14'] });

    expect(collection.rows.value.map(({ table: name }) => name)).toEqual(['12', '13', '14']);
  });

  test('removes a table as soon as this client has deleted it', async () => {
    const { collection, client } = await open(tables, {
      listTables: async () => [table('12'), table('13')],
      deleteTable: async () => undefined,
    });
    await client.calls.deleteTable({ table: '12' });

    expect(collection.rows.value.map((each) => each.table)).toEqual(['13']);
  });
});

describe('a collection of calls', () => {
  test('drops a call that has ended, and calls that the server no longer lists', async () => {
    let listed = [call(1), call(2)];
    const { collection, emit } = await open(calls, { listCalls: async () => listed });
    const ids = (): number[] => collection.rows.value.map(({ id }) => id);
    emit('call.changed', { call: call(1, { status: 'done', version: 2 }) });
    await nextTurn();
    expect(ids()).toEqual([2]);

    listed = [];
    await collection.load();
    await until(() => ids().length === 0, { what: 'no call' });
  });
});

describe('a collection of stations', () => {
  test('keeps the response to a change if an older list arrives after it', async () => {
    const older = deferred<Station[]>();
    const lists = [Promise.resolve([station('bar', 1)]), older.promise];
    const { collection, client } = await open(stations, {
      listStations: () => lists.shift() ?? older.promise,
      setStation: async () => station('bar', 3),
    });
    void collection.load();
    await nextTurn();
    await client.calls.setStation(station('bar', 3));
    older.resolve([station('bar', 1)]);
    await nextTurn();

    expect(collection.rows.value).toEqual([station('bar', 3)]);
  });

  test('keeps the same object if nothing has changed', async () => {
    const { collection } = await open(stations, { listStations: async () => [station('bar', 1)] });
    const [before] = collection.rows.value;
    await collection.load();

    expect(collection.rows.value[0]).toBe(before);
  });
});

describe('a collection', () => {
  const orderingOf = (version: number): Ordering => ({ paused_until: null, reason: null, version });
  const stopsOf = (version: number): Stops => ({ transfers: null, sign_ups: null, version });

  test('reports a failed load until a load succeeds', async () => {
    let isDown = true;
    const { client } = liveClient({
      getOrdering: async () => {
        if (isDown) throw unreachable(null);
        return orderingOf(3);
      },
    });
    const collection = client.collection(ordering);
    opened.push(collection);
    const { rows, state, failure } = collection;
    await until(() => failure.value !== null, { what: 'the failure' });
    expect([failure.value?.code, state.value]).toEqual(['unreachable', 'loading']);

    isDown = false;
    await collection.load();
    expect([rows.value, failure.value, state.value]).toEqual([[orderingOf(3)], null, 'complete']);
  });

  test("does not replace a newer event's row with a late response to a call", async () => {
    const late = deferred<Ordering>();
    const { collection, client, emit } = await open(ordering, {
      getOrdering: async () => orderingOf(1),
      putOrdering: () => late.promise,
    });
    const put = client.calls.putOrdering({});
    emit('ordering.changed', orderingOf(3));
    late.resolve(orderingOf(2));
    await put;

    expect(collection.rows.value).toEqual([orderingOf(3)]);
  });

  test('keeps earlier rows after a gap until they are replaced, even by lower versions', async () => {
    let version = 5;
    const { collection, stand } = await open(stops, { getStops: async () => stopsOf(version) });
    version = 2;
    stand('gap');
    await nextTurn();
    expect([collection.rows.value, collection.state.value]).toEqual([[stopsOf(5)], 'stale']);

    stand('live');
    await until(() => collection.state.value === 'complete', { what: 'the stops' });
    expect(collection.rows.value).toEqual([stopsOf(2)]);
  });

  test('ignores a list that was requested before a gap and arrives after it', async () => {
    const older = deferred<Stops>();
    const responses = [Promise.resolve(stopsOf(1)), older.promise];
    const { collection, stand } = await open(stops, {
      getStops: () => responses.shift() ?? Promise.resolve(stopsOf(4)),
    });
    void collection.load();
    await nextTurn();
    stand('gap');
    older.resolve(stopsOf(9));
    await nextTurn();
    stand('live');
    await until(() => collection.state.value === 'complete', { what: 'the stops' });

    expect(collection.rows.value).toEqual([stopsOf(4)]);
  });
});
