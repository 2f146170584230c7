import type { Table } from '@comanda/contracts/tables';
import type { Source } from '../live/source.ts';

/** A multiplier that gives a table with a new QR code a higher version than any number of earlier changes could. */
const changesPerCode = 1_000_000;

/** The tables and their seatings. The feed has no event for added or removed tables, so the list is fetched every minute. */
export const tables: Source<Table> = {
  name: 'tables',
  load: async function* loadTables({ calls: { listTables } }, options) {
    yield await listTables({}, options);
  },
  idOf: ({ table }) => table,
  versionOf: ({ rotated_at: rotatedAt, version }) =>
    Math.floor(Date.parse(rotatedAt) / 1000) * changesPerCode + version,
  // Events do not contain the table's QR code, so it is copied from the row that the collection already has.
  // A table that was removed and added again has version 1. Late events about the removed table are older than the new code.
  rowIn: ({ type, data, time }, find) => {
    const known = type === 'table.changed' ? find(data.table.table) : undefined;
    if (!known || time < known.rotated_at) return null;
    return type === 'table.changed' ? { ...known, ...data.table } : null;
  },
  rowsInCalls: { addTables: ({ added, existing }) => [...added, ...existing] },
  removedByCalls: { deleteTable: ({ table }) => table },
  compareEveryMs: 60_000,
};
