import type { TableCall } from '@comanda/contracts/calls';
import type { Ordering } from '@comanda/contracts/ordering';
import type { Restaurant } from '@comanda/contracts/restaurant';
import type { Station } from '@comanda/contracts/stations';
import type { Stops } from '@comanda/contracts/stops';
import type { Table } from '@comanda/contracts/tables';
import type { Server, Source } from './resources.ts';

/** A new code counts as a higher version of its table than any number of changes to the table before. */
const changesPerCode = 1_000_000;
const versionOfTable = ({ rotated_at: rotatedAt, version }: Table): number =>
  Math.floor(Date.parse(rotatedAt) / 1000) * changesPerCode + version;

/** The tables and their seatings. No event reports an added or removed table, so they are compared every 15 s. */
export const tableSource = ({ calls }: Server): Source<Table> => ({
  load: async function* loadTables(options) {
    yield await calls.listTables({}, options);
  },
  idOf: ({ table }) => table,
  versionOf: versionOfTable,
  // Events lack the table's code.
  rowIn: ({ type, data }, find) => {
    const known = type === 'table.changed' ? find(data.table.table) : undefined;
    return known && type === 'table.changed' ? { ...known, ...data.table } : null;
  },
  compareEveryMs: 15_000,
});

/** The calls from tables that staff have yet to answer, oldest first. */
export const callSource = ({ calls }: Server): Source<TableCall> => ({
  load: async function* loadCalls(options) {
    yield await calls.listCalls({}, options);
  },
  idOf: ({ id }) => id,
  versionOf: ({ version }) => version,
  rowIn: ({ type, data }) => (type === 'call.changed' ? data.call : null),
  select: (all) =>
    all
      .filter(({ status }) => status === 'open' || status === 'taken')
      .sort((a, b) => a.created_at.localeCompare(b.created_at) || a.id - b.id),
});

/** How the stations of the kitchen work. No event reports a change, so they are compared every minute. */
export const stationSource = ({ calls }: Server): Source<Station> => ({
  load: async function* loadStations(options) {
    yield await calls.listStations({}, options);
  },
  idOf: ({ station }) => station, // in its first spelling, which it keeps
  compareEveryMs: 60_000,
});

/** What exists once in a restaurant. Events bring changes, so comparisons are rare. */
const single = <T extends { version: number }>(source: Pick<Source<T>, 'load' | 'rowIn'>): Source<T> => ({
  ...source,
  isPublic: true,
  idOf: () => 1,
  versionOf: ({ version }) => version,
  compareEveryMs: 300_000,
});

/** Whether customers can order. */
export const orderingSource = ({ calls }: Server): Source<Ordering> =>
  single({
    load: async function* loadOrdering(options) {
      yield [await calls.getOrdering({}, options)];
    },
    rowIn: ({ type, data }) => (type === 'ordering.changed' ? data : null),
  });

/** What managers have stopped: transfers, sign-ups. */
export const stopSource = ({ calls }: Server): Source<Stops> =>
  single({
    load: async function* loadStops(options) {
      yield [await calls.getStops({}, options)];
    },
    rowIn: ({ type, data }) => (type === 'stops.changed' ? data : null),
  });

/** The restaurant's settings. No event reports a change. */
export const restaurantSource = ({ calls }: Server): Source<Restaurant> =>
  single({
    load: async function* loadRestaurant(options) {
      yield [await calls.getRestaurant({}, options)];
    },
  });
