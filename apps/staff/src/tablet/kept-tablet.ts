import { hasKeys, stored } from '@comanda/ui/stored-setting.ts';

/** The stored data of a registered tablet. The credential alone can't sign anyone in. */
export type KeptTablet = { credential: string; name: string };

/** This device's registration as a tablet; null if no manager has registered it. */
export const keptTablet = stored(
  'kitchen.tablet',
  hasKeys<KeptTablet>('credential', 'name'),
  null as KeptTablet | null,
);
