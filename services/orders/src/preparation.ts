import type { Preparation } from '@comanda/shared/mongo/prepare-database';
import { versionOf } from '@comanda/shared/runtime/version';
import { ordersCollections } from './collections.ts';
import { startFirstDay } from './day/start-first-day.ts';
import { findArchives } from './orders/order-archive-store.ts';
import { insertRestaurantDocuments } from './restaurant/restaurant-document.ts';

/** The steps that prepare orders' database before the service starts. */
export const ordersPreparation: Preparation = {
  service: 'orders',
  version: versionOf(import.meta.url),
  collections: ordersCollections,
  findMore: findArchives,
  steps: [
    { name: 'insert the documents of the restaurant', run: insertRestaurantDocuments },
    { name: 'start the first day', run: startFirstDay },
  ],
};
