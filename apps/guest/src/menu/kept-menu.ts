import type { LiveItem } from '@comanda/client/core';
import { hasKeys, stored } from '@comanda/ui/stored-setting.ts';

/** The menu that this phone loaded last, and when, in milliseconds by the server's clock. */
type KeptMenu = { atMs: number; dishes: readonly LiveItem[] };

const isMenu = (value: unknown): value is KeptMenu | null =>
  hasKeys<KeptMenu>('atMs', 'dishes')(value) && Array.isArray(value.dishes);
const kept = stored<KeptMenu | null>('menu', isMenu, null);

export const readKeptMenu = kept.get;
export const writeKeptMenu = kept.write;
