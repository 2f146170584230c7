import type { Preparation } from '@comanda/shared/mongo/prepare-database';
import { versionOf } from '@comanda/shared/runtime/version';
import { ordersCollections } from './collections.ts';
import { findArchives } from './orders/order-archive-store.ts';
import { moveSettings } from './restaurant/earlier-settings-store.ts';
import { noteNewestSeatings } from './orders/newest-seating-store.ts';
import { insertRestaurantDocuments } from './restaurant/restaurant-store.ts';

/** What orders needs in its database before it starts. */
export const ordersPreparation: Preparation = {
  service: 'orders',
  version: versionOf(import.meta.url),
  collections: ordersCollections,
  findMore: findArchives,
  steps: [
    { name: 'insert the documents of the restaurant', run: insertRestaurantDocuments },
    { name: 'move the settings to the counters', run: moveSettings },
    { name: 'note the newest seatings', run: noteNewestSeatings },
  ],
};
