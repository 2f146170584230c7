import { hasKeys, stored } from '@comanda/ui/stored-setting.ts';

/** The data that makes this device a tablet of the restaurant. The credential alone signs nobody in. */
export type KeptTablet = { credential: string; name: string };

/** The registration that this device stores if a manager has registered it as a tablet. */
export const keptTablet = stored(
  'kitchen.tablet',
  hasKeys<KeptTablet>('credential', 'name'),
  null as KeptTablet | null,
);
