/** Returns a new key of 128 random bits. Pages loaded over plain HTTP have no `crypto.randomUUID`. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns a random time between half of `ms` and `ms`, which spreads out many clients. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);
