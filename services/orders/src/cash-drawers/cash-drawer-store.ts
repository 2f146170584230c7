import { cashDrawerStatuses, mainCashDrawer } from '@comanda/contracts/cash-drawers';
import type { Connection } from 'mongoose';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { CashDrawer, CashDrawers } from './cash-drawer.ts';

type CashDrawerDocument = { _id: string; label: string; status: CashDrawer['status'] };
export const cashDrawerSchema = collectionSchema<CashDrawerDocument>('cash_drawers', {
  _id: { type: String, maxlength: 32 },
  label: { type: String, required: true, maxlength: 60 },
  status: { type: String, required: true, enum: cashDrawerStatuses },
});

export type CashDrawerStore = ReturnType<typeof createCashDrawerStore>;

/** Creates the store for cash drawers. What they hold follows from their movements and counts. */
export function createCashDrawerStore(connection: Connection) {
  const cashDrawers = collectionOf(connection, cashDrawerSchema);
  return {
    /** Finds all cash drawers, sorted by name. */
    findAll: async (session?: Session): Promise<CashDrawer[]> => {
      const found = await cashDrawers.find({}, { sort: { _id: 1 }, ...(session && { session }) }).toArray();
      return found.map(({ _id: name, label, status }) => ({ name, label, status }));
    },
    findStatuses: async (session: Session): Promise<CashDrawers> => {
      const found = await cashDrawers.find({}, { projection: { status: 1 }, session }).toArray();
      return new Map(found.map(({ _id, status }) => [_id, status]));
    },
    put: async ({ name, label, status }: CashDrawer, session: Session): Promise<void> => {
      await cashDrawers.updateOne({ _id: name }, { $set: { label, status } }, { upsert: true, session });
    },
  };
}

/** Inserts the cash drawer that always exists. It is safe to repeat. */
export async function insertMainCashDrawer(connection: Connection): Promise<void> {
  const first = { label: mainCashDrawer, status: 'active' } as const;
  await collectionOf(connection, cashDrawerSchema).updateOne(
    { _id: mainCashDrawer },
    { $setOnInsert: first },
    { upsert: true },
  );
}
