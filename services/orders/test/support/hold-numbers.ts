import { holdDocument, type HeldDocument } from '@comanda/testing/hold-document';
import type { OrdersHarness } from './harness.ts';

/** Locks the numbers that every order needs, as another instance does while it writes orders. */
export const holdNumbers = ({ db }: OrdersHarness): Promise<HeldDocument> =>
  holdDocument(db, {
    collection: 'restaurant',
    filter: { _id: 'orders' },
    change: { $inc: { last_order_id: 1 } },
  });
