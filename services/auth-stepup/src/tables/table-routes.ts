import { problem } from '@comanda/contracts/problem';
import * as contracts from '@comanda/contracts/users';
import type { Api } from '@comanda/shared/http/api';
import { originOf } from '../security-log/security-event.ts';
import { putTable, removeTable, type RemoveTableDeps } from './change-table.ts';
import { closeTable } from './close-table.ts';
import { toTableResponse, type TableTokens } from './table.ts';
import type { TableStore } from './table-store.ts';

export type TableRouteDeps = RemoveTableDeps & {
  tables: TableStore;
  tableTokens: TableTokens;
  /** Where guests reach the system; part of the QR codes. */
  publicUrl: string;
};

export function registerTableRoutes({ handle }: Api, deps: TableRouteDeps): void {
  const { tables } = deps;
  handle(contracts.listTables, async () => {
    const all = await tables.findAll();
    return { status: 200, body: all.map((table) => toTableResponse(table, deps)) };
  });
  handle(contracts.putTable, async (call) => {
    const { caller, params } = call;
    const { kind, table } = await putTable(deps, { name: params.table, caller, origin: originOf(call) });
    const body = toTableResponse(table, deps);
    if (kind === 'updated') return { status: 200, body };
    return { status: 201, body, headers: { Location: `/tables/${table.name}` } };
  });
  handle(contracts.deleteTable, async (call) => {
    const { caller, params } = call;
    await removeTable(deps, { name: params.table, caller, origin: originOf(call), request: call });
    return { status: 204 };
  });
  handle(contracts.openTable, async ({ params }) => {
    const opened = await tables.openSeating({ name: params.table }, 'staff');
    if (!opened) throw problem('not_found');
    return { status: 200, body: toTableResponse(opened, deps) };
  });
  handle(contracts.closeTable, async (call) => {
    await closeTable(deps, call.params.table, call);
    return { status: 204 };
  });
}
