import { hasKeys, stored } from '@comanda/ui/stored-setting.ts';

/** What makes this device a tablet of the restaurant. The credential alone signs nobody in. */
export type KeptTablet = { credential: string; name: string };

/** Whether a manager has registered this device as a tablet, as it knows itself. */
export const keptTablet = stored(
  'kitchen.tablet',
  hasKeys<KeptTablet>('credential', 'name'),
  null as KeptTablet | null,
);
