import { afterEach, describe, expect, test } from '@jest/globals';
import type { TableCall } from '@comanda/contracts/calls';
import type { Station } from '@comanda/contracts/stations';
import type { Table } from '@comanda/contracts/tables';
import { until } from '@comanda/testing/until';
import { unreachable } from '../call-failure.ts';
import type { CallsByName } from '../calls/call-types.ts';
import type { FeedEvent, FeedHandlers } from '../feed/feed-types.ts';
import type { Collection } from './collection.ts';
import { createCollections } from './collections.ts';
import type { Server } from './resources.ts';

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

/** Opens collections on a server with these calls, and a feed that the test controls. */
function openServer(calls: { [N in keyof CallsByName]?: () => Promise<unknown> }) {
  const feeds = new Set<FeedHandlers>();
  const server = { calls, who: () => ({ userId: 3, role: 'waiter', name: 'Ana' }), now: Date.now };
  const collections = createCollections({
    deps: {
      feed: (handlers) => {
        feeds.add(handlers);
        queueMicrotask(() => handlers.onStanding?.({ status: 'live' }));
        return {
          standing: () => ({ status: 'live' }),
          cursor: () => null,
          checksums: () => null,
          now: Date.now,
          close: () => void feeds.delete(handlers),
        };
      },
      who: () => ({ userId: 3, role: 'waiter', name: 'Ana' }),
      onWho: () => () => undefined,
    },
    server: server as unknown as Server,
  });
  return {
    ...collections,
    open: (async (...args: Parameters<typeof collections.open>) => {
      const collection = collections.open(...args);
      opened.push(collection);
      await until(() => collection.state.value === 'complete', { what: 'all rows' });
      return collection;
    }) as <N extends Parameters<typeof collections.open>[0]>(
      name: N,
    ) => Promise<ReturnType<typeof collections.open<N>>>,
    emit: (type: string, data: unknown) => {
      for (const { onEvent } of feeds) onEvent?.({ type, data } as FeedEvent, 'cursor');
    },
    lose: () => {
      for (const { onStanding } of feeds) onStanding?.({ status: 'gap' });
    },
  };
}
const idsOf = (calls: Collection<TableCall>): number[] => calls.rows.value.map(({ id }) => id);
/** Ends the current turn, in which events are collected. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe('a collection of tables', () => {
  test('applies an event to the table and keeps its code', async () => {
    const server = openServer({ listTables: async () => [table('12'), table('13')] });
    const tables = await server.open('tables');
    server.emit('table.changed', { table: { ...table('12'), status: 'seated', seating: 88, version: 2 } });
    await turn();

    expect(tables.rows.value.find((each) => each.table === '12')).toMatchObject({
      seating: 88,
      table_token: 'token-12',
    });
  });

  test('shows a new code even if the version of the table is lower', async () => {
    const server = openServer({ listTables: async () => [table('12', { version: 40 })] });
    const tables = await server.open('tables');
    const recreated = table('12', { table_token: 'new', rotated_at: '2026-11-20T19:00:00.000Z' });
    server.takeResponse('putTable', { table: '12' }, recreated);

    expect(tables.rows.value).toEqual([recreated]);
  });

  test('keeps a new code and a new table if an older list arrives after them', async () => {
    const { promise, resolve } = Promise.withResolvers<Table[]>();
    const lists = [Promise.resolve([table('12')]), promise];
    const server = openServer({ listTables: async () => lists.shift() ?? promise });
    const tables = await server.open('tables');
    void tables.load();
    await turn();
    server.takeResponse(
      'putTable',
      { table: '12' },
      table('12', { url: 'new', rotated_at: '2026-11-20T19:00:00.000Z' }),
    );
    server.takeResponse('putTable', { table: '13' }, table('13'));
    resolve([table('12')]);
    await turn();

    expect(tables.rows.value.map(({ table: name, url }) => [name, url])).toEqual([
      ['12', 'new'],
      ['13', table('13').url],
    ]);
  });

  test('removes a table as soon as this client has deleted it', async () => {
    const server = openServer({ listTables: async () => [table('12'), table('13')] });
    const tables = await server.open('tables');
    server.takeResponse('deleteTable', { table: '12' }, undefined);

    expect(tables.rows.value.map((each) => each.table)).toEqual(['13']);
  });
});

describe('a collection of calls', () => {
  test('drops a call that has ended, and calls that the server no longer lists', async () => {
    let listed = [call(1), call(2)];
    const server = openServer({ listCalls: async () => listed });
    const calls = await server.open('calls');
    server.emit('call.changed', { call: call(1, { status: 'done', version: 2 }) });
    await turn();
    expect(idsOf(calls)).toEqual([2]);

    listed = [];
    server.emit('call.changed', { call: call(3) });
    void calls.load();
    await until(() => !idsOf(calls).includes(2), { what: 'the second call' });
    expect(idsOf(calls)).toEqual([]);
  });
});

describe('a collection of stations', () => {
  test('keeps the response to a change if an older list arrives after it', async () => {
    const { promise, resolve } = Promise.withResolvers<Station[]>();
    const lists = [Promise.resolve([station('bar', 1)]), promise];
    const server = openServer({ listStations: async () => lists.shift() ?? promise });
    const stations = await server.open('stations');
    void stations.load();
    await turn();
    server.takeResponse('setStation', station('bar', 3), station('bar', 3));
    resolve([station('bar', 1)]);
    await turn();

    expect(stations.rows.value).toEqual([station('bar', 3)]);
  });

  test('keeps the same object if nothing has changed', async () => {
    const server = openServer({ listStations: async () => [station('bar', 1)] });
    const stations = await server.open('stations');
    const [before] = stations.rows.value;
    void stations.load();
    await turn();

    expect(stations.rows.value[0]).toBe(before);
  });
});

describe('a collection', () => {
  test('says why it could not be loaded until it is', async () => {
    let isDown = true;
    const server = openServer({
      getOrdering: async () => {
        if (isDown) throw unreachable(null);
        return { paused_until: null, reason: null, version: 3 };
      },
    });
    const collections = server.open('ordering');
    const ordering = opened[0] as unknown as Collection<unknown>;
    await until(() => ordering.failure.value !== null, { what: 'the failure' });
    expect({ code: ordering.failure.value?.code, state: ordering.state.value }).toEqual({
      code: 'unreachable',
      state: 'loading',
    });

    isDown = false;
    void ordering.load();
    const { rows, failure } = await collections;
    expect({ rows: rows.value, failure: failure.value }).toMatchObject({ rows: [{ version: 3 }], failure: null });
  });

  test('replaces everything after a gap, even by lower versions', async () => {
    let version = 5;
    const server = openServer({ getStops: async () => ({ transfers: null, sign_ups: null, version }) });
    const stops = await server.open('stops');
    version = 2;
    server.lose();
    await turn();
    expect({ rows: stops.rows.value, state: stops.state.value }).toMatchObject({
      rows: [{ version: 5 }],
      state: 'stale',
    });
  });
});
