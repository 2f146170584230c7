import type { Preparation } from '@comanda/shared/mongo/prepare-database';
import { versionOf } from '@comanda/shared/runtime/version';
import { transfersCollections } from './collections.ts';

/** What transfers needs in its database before it starts. */
export const transfersPreparation: Preparation = {
  service: 'transfers',
  version: versionOf(import.meta.url),
  collections: transfersCollections,
  steps: [],
};
