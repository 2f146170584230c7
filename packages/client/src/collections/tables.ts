import type { Table } from '@comanda/contracts/tables';
import type { Source } from '../live/source.ts';

/** A new code counts as a higher version of its table than any number of changes to the table before. */
const changesPerCode = 1_000_000;

/** The tables and their seatings. No event reports an added or removed table, so they are compared every minute. */
export const tables: Source<Table> = {
  name: 'tables',
  load: async function* loadTables({ calls: { listTables } }, options) {
    yield await listTables({}, options);
  },
  idOf: ({ table }) => table,
  versionOf: ({ rotated_at: rotatedAt, version }) =>
    Math.floor(Date.parse(rotatedAt) / 1000) * changesPerCode + version,
  // Events lack the table's code.
  rowIn: ({ type, data }, find) => {
    const known = type === 'table.changed' ? find(data.table.table) : undefined;
    return known && type === 'table.changed' ? { ...known, ...data.table } : null;
  },
  removedByCalls: { deleteTable: ({ table }) => table },
  compareEveryMs: 60_000,
};
