import type { Preparation } from '@comanda/shared/mongo/prepare-database';
import { versionOf } from '@comanda/shared/runtime/version';
import { authStepupCollections } from './collections.ts';

/** The preparation of auth-stepup's database before the service starts. */
export const authStepupPreparation: Preparation = {
  service: 'auth-stepup',
  version: versionOf(import.meta.url),
  collections: authStepupCollections,
  steps: [],
};
