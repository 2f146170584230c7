import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { createTabletAttemptStore } from './tablet-attempt-store.ts';
import { createTabletPinStore } from './tablet-pin-store.ts';
import { createTabletStore } from './tablet-store.ts';

/** What is stored of tablets: themselves, the tablet PINs of users, and the attempts at them. */
export const createTabletStores = (connection: Connection, redis: Redis) => ({
  tablets: createTabletStore(connection),
  tabletPins: createTabletPinStore(connection),
  tabletAttempts: createTabletAttemptStore(redis),
});
