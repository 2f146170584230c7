/** Returns a random key of 128 bits in hexadecimal. Pages loaded over plain HTTP have no `crypto.randomUUID`. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns a random time between half of `ms` and `ms`, so that many clients don't retry at the same moment. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);
