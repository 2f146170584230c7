import { problem } from '@comanda/contracts/problem';
import type { EndingRequest, EndSeatingInOrders } from './end-seating-in-orders.ts';
import type { TableStore } from './table-store.ts';

export type CloseTableDeps = {
  tables: Pick<TableStore, 'findByName' | 'closeSeating'>;
  endSeatingInOrders: EndSeatingInOrders;
};

/**
 * Ends the seating of a table: no order is accepted for it any more, and its guests are signed out. Orders come first, so
 * that a call which fails in between is repeated: the table still has its seating then.
 * @throws 404 `not_found`; 503 `service_unavailable`: the table is not closed
 */
export async function closeTable(
  { tables, endSeatingInOrders }: CloseTableDeps,
  name: string,
  request: EndingRequest,
): Promise<void> {
  const table = await tables.findByName(name);
  if (!table) throw problem('not_found');
  if (table.seating === null) return;
  await endSeatingInOrders({ seating: table.seating, table: name }, request);
  await tables.closeSeating(name, table.seating);
}
