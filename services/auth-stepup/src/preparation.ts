import type { Preparation } from '@comanda/shared/mongo/prepare-database';
import { versionOf } from '@comanda/shared/runtime/version';
import { authStepupCollections } from './collections.ts';

/** What auth-stepup needs in its database before it starts. */
export const authStepupPreparation: Preparation = {
  service: 'auth-stepup',
  version: versionOf(import.meta.url),
  collections: authStepupCollections,
  steps: [],
};
