import type { Preparation } from '@comanda/shared/mongo/prepare-database';
import { versionOf } from '@comanda/shared/runtime/version';
import { transfersCollections } from './collections.ts';

/** The steps that prepare transfers' database before the service starts. */
export const transfersPreparation: Preparation = {
  service: 'transfers',
  version: versionOf(import.meta.url),
  collections: transfersCollections,
  steps: [],
};
