import { problem } from '@comanda/contracts/problem';
import { readTabletCredential } from './tablet-credential.ts';
import type { TabletStore } from './tablet-store.ts';
import type { Tablet } from './tablet.ts';

export type FindTabletDeps = { tablets: Pick<TabletStore, 'findByCredential'> };

/** Finds the tablet with this credential. @throws 401 `tablet_invalid` */
export async function findTablet({ tablets }: FindTabletDeps, credential: string): Promise<Tablet> {
  const read = readTabletCredential(credential);
  const tablet = read && (await tablets.findByCredential(read));
  if (!tablet) throw problem('tablet_invalid');
  return tablet;
}
