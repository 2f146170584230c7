import { signal } from '@preact/signals';

/**
 * Whether the browser promises to keep what this device knows: that it is a shared tablet, its station, its keys, and work that
 * is not sent. Without the promise it may delete all of it, Safari after seven days without a visit.
 */
export const keptStorage = signal<'unknown' | 'kept' | 'may_go'>('unknown');

const note = (isKept: boolean | undefined): void => void (keptStorage.value = isKept === true ? 'kept' : 'may_go');
/** Over plain HTTP there is none, and no promise. */
const storage = (): Partial<StorageManager> | undefined => (navigator as { storage?: Partial<StorageManager> }).storage;

/** Finds out what was promised before. */
export const checkKeptStorage = async (): Promise<void> =>
  note(
    await storage()
      ?.persisted?.()
      .catch(() => false),
  );
/** To be called in a tap: some browsers ask the person. */
export const askKeptStorage = async (): Promise<void> =>
  note(
    await storage()
      ?.persist?.()
      .catch(() => false),
  );
