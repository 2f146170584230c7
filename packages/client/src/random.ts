/** Returns a new key of 128 random bits. `crypto.randomUUID` does not exist on pages that were loaded over plain HTTP. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns a random time between half of `ms` and all of it, so that many clients do not act at the same time. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);
