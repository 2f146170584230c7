import { closeTable, deleteTable, listTables, putTable, startGuestSession } from '@comanda/contracts/users';
import { problem } from '@comanda/contracts/problems';
import type { Api } from '@comanda/shared/http/api';
import { beGuest } from './be-guest.ts';
import type { Hall } from './be-guest.ts';
import { presentTable } from './table.ts';

export function tableRoutes({ handle }: Api, { hall, publicUrl }: { hall: Hall; publicUrl: string }): void {
  const { tables, tokens } = hall;
  const door = { tokens, publicUrl: publicUrl.replace(/\/+$/, '') };

  handle(startGuestSession, async ({ body }) => ({ status: 200, body: await beGuest(hall, body) }));
  handle(listTables, async () => {
    const all = await tables.all();
    return { status: 200, body: all.map((table) => presentTable(table, door)) };
  });
  handle(putTable, async ({ params }) => {
    const { table, is } = await tables.put(params.table);
    const body = presentTable(table, door);
    return is === 'new' ? { status: 201, body, headers: { Location: `/tables/${table.name}` } } : { status: 200, body };
  });
  handle(deleteTable, async ({ params }) => {
    if (!(await tables.remove(params.table))) throw problem('not_found');
    return { status: 204 };
  });
  handle(closeTable, async ({ params }) => {
    if (!(await tables.close(params.table))) throw problem('not_found');
    return { status: 204 };
  });
}
