import type { Client } from '@comanda/client/core';
import type { UnsentList } from '@comanda/ui/unsent.ts';

/** The props of every screen. `path` is the part of the address after `#/`. */
export type ScreenProps = { client: Client; unsent: UnsentList; path: string };
