import type { TableCall } from '@comanda/contracts/calls';
import type { Source } from '../live/source.ts';

/** The open and taken calls from tables, oldest first. */
export const calls: Source<TableCall> = {
  name: 'calls',
  load: async function* loadCalls({ calls: { listCalls } }, options) {
    yield await listCalls({}, options);
  },
  idOf: ({ id }) => id,
  versionOf: ({ version }) => version,
  rowIn: ({ type, data }) => (type === 'call.changed' ? data.call : null),
  select: (all) =>
    all
      .filter(({ status }) => status === 'open' || status === 'taken')
      .sort((a, b) => a.created_at.localeCompare(b.created_at) || a.id - b.id),
};
