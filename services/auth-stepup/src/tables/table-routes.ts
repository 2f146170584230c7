import { problem } from '@comanda/contracts/problem';
import * as contracts from '@comanda/contracts/tables';
import type { Api } from '@comanda/shared/http/api';
import { originOf } from '../security-log/security-event.ts';
import { addTables, type AddTablesDeps } from './add-tables.ts';
import { cleanTable, type CleanTableDeps } from './clean-table.ts';
import { putTable, removeTable, type PutTableDeps, type RemoveTableDeps } from './change-table.ts';
import { closeTable } from './close-table.ts';
import { joinTables, type JoinTablesDeps } from './join-tables.ts';
import { moveTable, type MoveTableDeps } from './move-table.ts';
import { openTable } from './open-table.ts';
import { toTableResponse, type Table, type TableTokens } from './table.ts';
import type { TableStore } from './table-store.ts';

export type TableRouteDeps = PutTableDeps &
  AddTablesDeps &
  RemoveTableDeps &
  CleanTableDeps &
  MoveTableDeps &
  JoinTablesDeps & {
    tables: TableStore;
    tableTokens: TableTokens;
    /** The public URL where guests reach the system; part of the QR codes. */
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
    const { kind, table } = await putTable(deps, {
      name: params.table,
      caller,
      origin: originOf(call),
      traceparent: call.context.traceparent,
    });
    const body = toTableResponse(table, deps);
    if (kind === 'updated') return { status: 200, body };
    return { status: 201, body, headers: { Location: `/tables/${table.name}` } };
  });
  handle(contracts.addTables, async (call) => {
    const { added, existing } = await addTables(deps, call, originOf(call));
    const toResponses = (all: readonly Table[]) => all.map((table) => toTableResponse(table, deps));
    return {
      status: added.length > 0 ? 201 : 200,
      body: { added: toResponses(added), existing: toResponses(existing) },
    };
  });
  handle(contracts.deleteTable, async (call) => {
    const { caller, params } = call;
    await removeTable(deps, { name: params.table, caller, origin: originOf(call), request: call });
    return { status: 204 };
  });
  handle(contracts.openTable, async ({ params, context: { traceparent } }) => {
    const opened = await openTable(deps, { name: params.table, openedBy: 'staff', traceparent });
    if (!opened) throw problem('not_found');
    return { status: 200, body: toTableResponse(opened, deps) };
  });
  handle(contracts.closeTable, async (call) => {
    await closeTable(deps, call.params.table, call);
    return { status: 204 };
  });
  handle(contracts.cleanTable, async (call) => ({
    status: 200,
    body: toTableResponse(await cleanTable(deps, call), deps),
  }));
  handle(contracts.moveTable, async (call) => ({
    status: 200,
    body: toTableResponse(await moveTable(deps, call), deps),
  }));
  handle(contracts.joinTables, async (call) => ({
    status: 200,
    body: toTableResponse(await joinTables(deps, call), deps),
  }));
}
