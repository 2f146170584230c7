import { createTabletAttemptStore } from './tablet-attempt-store.ts';
import { createTabletPinStore } from './tablet-pin-store.ts';
import { createTabletStore } from './tablet-store.ts';

/** The stores of tablets: the tablets, the tablet PINs of users, and the attempts at them. */
export const createTabletStores = (
  connection: Parameters<typeof createTabletStore>[0],
  redis: Parameters<typeof createTabletAttemptStore>[0],
) => ({
  tablets: createTabletStore(connection),
  tabletPins: createTabletPinStore(connection),
  tabletAttempts: createTabletAttemptStore(redis),
});
