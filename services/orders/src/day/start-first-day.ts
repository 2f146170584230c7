import type { MongoLink } from '@comanda/shared/mongo/connection';
import { insertMainCashDrawer } from '../cash-drawers/cash-drawer-store.ts';
import { startFirstDayOf } from '../restaurant/first-day-store.ts';
import { createDayBillStore } from './day-bill-store.ts';

/** A step of the preparation: inserts the cash drawer `main`, and starts day 1 with what is stored then. */
export async function startFirstDay(connection: MongoLink['connection']): Promise<void> {
  await insertMainCashDrawer(connection);
  await startFirstDayOf(connection, createDayBillStore(connection));
}
