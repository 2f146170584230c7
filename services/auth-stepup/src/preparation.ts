import type { Preparation } from '@comanda/shared/mongo/prepare-database';
import { versionOf } from '@comanda/shared/runtime/version';
import { authStepupCollections } from './collections.ts';

/** How auth-stepup's database is prepared before the service starts. */
export const authStepupPreparation: Preparation = {
  service: 'auth-stepup',
  version: versionOf(import.meta.url),
  collections: authStepupCollections,
  steps: [],
};
