import { signal } from '@preact/signals';

/**
 * Whether the browser promises to keep this device's data: that it is a shared tablet, its station, its keys, and unsent work.
 * Without the promise, it may delete everything; Safari does after seven days without a visit.
 */
export const keptStorage = signal<'unknown' | 'kept' | 'may_go'>('unknown');

const note = (isKept: boolean | undefined): void => void (keptStorage.value = isKept === true ? 'kept' : 'may_go');
/** Over plain HTTP, there is neither storage nor a promise. */
const storage = (): Partial<StorageManager> | undefined => (navigator as { storage?: Partial<StorageManager> }).storage;

/** Finds out what was promised before. */
export const checkKeptStorage = async (): Promise<void> =>
  note(
    await storage()
      ?.persisted?.()
      .catch(() => false),
  );
/** Call this in a tap handler, because some browsers ask the user. */
export const askKeptStorage = async (): Promise<void> =>
  note(
    await storage()
      ?.persist?.()
      .catch(() => false),
  );
