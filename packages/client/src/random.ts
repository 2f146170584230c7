/** A new key or name: 128 random bits. `crypto.randomUUID` is missing on pages that came over plain HTTP. */
export const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Between half of `ms` and all of it, so that many do not do it at once. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);

/** Resolves after `ms`, or rejects with the signal's reason. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = (): void => reject(signal?.reason as Error);
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
