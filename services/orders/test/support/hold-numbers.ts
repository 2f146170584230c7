import { holdDocument, type HeldDocument } from '@comanda/testing/hold-document';
import type { OrdersHarness } from './harness.ts';

/** Holds the numbers that every order needs, like another instance that is writing orders. */
export const holdNumbers = ({ db }: OrdersHarness): Promise<HeldDocument> =>
  holdDocument(db, {
    collection: 'restaurant',
    filter: { _id: 'orders' },
    change: { $inc: { last_order_id: 1 } },
  });
