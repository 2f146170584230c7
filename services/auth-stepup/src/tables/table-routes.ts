import { problem } from '@comanda/contracts/problem';
import * as contracts from '@comanda/contracts/users';
import type { Api } from '@comanda/shared/http/api';
import { startGuestSession } from './start-guest-session.ts';
import type { StartGuestSessionDeps } from './start-guest-session.ts';
import { toTableResponse } from './table.ts';
import type { TableStore } from './table-store.ts';

export type TableRouteDeps = StartGuestSessionDeps & {
  tables: TableStore;
  /** Where guests reach the system; part of the QR codes. */
  publicUrl: string;
};

export function registerTableRoutes({ handle }: Api, deps: TableRouteDeps): void {
  const { tables } = deps;
  handle(contracts.startGuestSession, async ({ body }) => ({ status: 200, body: await startGuestSession(deps, body) }));
  handle(contracts.listTables, async () => {
    const all = await tables.findAll();
    return { status: 200, body: all.map((table) => toTableResponse(table, deps)) };
  });
  handle(contracts.putTable, async ({ params }) => {
    const { kind, table } = await tables.upsert(params.table, { tokenKeyId: deps.tableTokens.currentKeyId });
    const body = toTableResponse(table, deps);
    if (kind === 'updated') return { status: 200, body };
    return { status: 201, body, headers: { Location: `/tables/${table.name}` } };
  });
  handle(contracts.deleteTable, async ({ params }) => {
    if (!(await tables.delete(params.table))) throw problem('not_found');
    return { status: 204 };
  });
  handle(contracts.closeTable, async ({ params }) => {
    if (!(await tables.closeSeating(params.table))) throw problem('not_found');
    return { status: 204 };
  });
}
