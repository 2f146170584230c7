import type { Bill } from '@comanda/contracts/bills';
import type { Table } from '@comanda/contracts/tables';
import { minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import type { State } from '@comanda/testing/stand/state';
import { newTable, onDuty } from './states.ts';

type Party = { order: ReturnType<typeof newOrder>; bill: Bill; table: Table };
/** Creates a table whose guests have ordered a Feijoada, for R$ 68.20 including the service charge. */
export function newParty(name: string, seating: number, differs: Partial<Bill> = {}): Party {
  const bill_id = 300 + seating;
  const order = newOrder({ id: 1_000 + seating, table: name, seating, bill_id, items: ['Feijoada'] });
  const bill = newBill([order], { id: bill_id, table: name, seating, ...differs });
  return { order, bill, table: newTable(name, seating) };
}

export const [party, other] = [newParty('12', 88), newParty('14', 89)];
const payments = [{ settled_at: minutesAgo(0) }] as never;
export const paid = newParty('15', 90, { paid: '68.20', payments });
/** A table without guests. */
export const free = newTable('7');

type More = Partial<State> & { parties?: readonly Party[]; tables?: readonly Table[] };
/** Returns the state of a waiter's page, with these guests at their tables and other tables. */
export function atTables({ parties = [party], tables = [free], ...more }: More = {}): State {
  const [orders, bills] = [parties.map(({ order }) => order), parties.map(({ bill }) => bill)];
  return onDuty({ orders, bills, tables: [...parties.map(({ table }) => table), ...tables], ...more });
}
