import type { TabletStore } from '../tablets/tablet-store.ts';
import type { User } from '../users/user.ts';
import type { Session } from './session.ts';

/**
 * Returns true if a session that started on a tablet may continue: the tablet is still registered and the user's tablet PIN is
 * unchanged.
 */
export async function isTabletLive(
  { tablets }: { tablets: Pick<TabletStore, 'isRegistered'> },
  { tablet }: Pick<Session, 'tablet'>,
  { role, tabletPinId }: Pick<User, 'role' | 'tabletPinId'>,
): Promise<boolean> {
  if (!tablet) return true;
  return role === 'waiter' && tabletPinId === tablet.pinId && tablets.isRegistered(tablet.id);
}
