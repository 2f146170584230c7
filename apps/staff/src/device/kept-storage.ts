import { signal } from '@preact/signals';

/**
 * Whether the browser promises to keep this device's data: its registration as a tablet, its station, its keys, and unsent work.
 * Without that promise, it may delete all of it. Safari does so after seven days without a visit.
 */
export const keptStorage = signal<'unknown' | 'kept' | 'may_go'>('unknown');

const note = (isKept: boolean | undefined): void => void (keptStorage.value = isKept === true ? 'kept' : 'may_go');
/** Returns the browser's storage manager. It doesn't exist over plain HTTP. */
const storage = (): Partial<StorageManager> | undefined => (navigator as { storage?: Partial<StorageManager> }).storage;

/** Checks whether the browser has already made the promise. */
export const checkKeptStorage = async (): Promise<void> =>
  note(
    await storage()
      ?.persisted?.()
      .catch(() => false),
  );
/** Asks the browser for the promise. Call this in a tap handler, because some browsers ask the user. */
export const askKeptStorage = async (): Promise<void> =>
  note(
    await storage()
      ?.persist?.()
      .catch(() => false),
  );
