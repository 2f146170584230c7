import { createTabletAttemptStore } from './tablet-attempt-store.ts';
import { createTabletPinStore } from './tablet-pin-store.ts';
import { createTabletStore } from './tablet-store.ts';

/** Creates the stores for tablets, for users' tablet PINs, and for attempts at these PINs. */
export const createTabletStores = (
  connection: Parameters<typeof createTabletStore>[0],
  redis: Parameters<typeof createTabletAttemptStore>[0],
) => ({
  tablets: createTabletStore(connection),
  tabletPins: createTabletPinStore(connection),
  tabletAttempts: createTabletAttemptStore(redis),
});
