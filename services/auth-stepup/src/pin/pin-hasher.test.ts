import { describe, expect, test } from '@jest/globals';
import { createPinHasher } from './pin-hasher.ts';

const [oldPepper, newPepper] = ['old:b2xkLXBlcHBlci1vbGQtcGVwcGVy', 'new:bmV3LXBlcHBlci1uZXctcGVwcGVy'];
/** Creates a hasher for PINs that leaves out bcrypt: a stored hash is the peppered text itself. */
const hasherWith = (...peppers: string[]) =>
  createPinHasher({
    hasher: {
      hash: async (text) => text,
      matches: async (text, hash) => text === hash,
      close: async () => undefined,
    },
    turns: { take: async () => ({ [Symbol.dispose]: () => undefined }), countWaiting: () => 0 },
    peppers: peppers.join(','),
  });
const enteredBy = (userId: number, pin = '739152') => ({
  pin,
  owner: { userId, network: '', group: 'customers' as const },
});

describe('the hash of a PIN', () => {
  test("matches its user's PIN and no other PIN", async () => {
    const pins = hasherWith(newPepper);
    const stored = await pins.hash(enteredBy(7));

    expect(await pins.matches(enteredBy(7), stored)).toBe(true);
    expect(await pins.matches(enteredBy(7, '604817'), stored)).toBe(false);
    expect(pins.isCurrent(stored)).toBe(true);
  });

  test("doesn't match after it is copied to another user", async () => {
    const pins = hasherWith(newPepper);

    expect(await pins.matches(enteredBy(8), await pins.hash(enteredBy(7)))).toBe(false);
  });

  test("stays valid, but isn't current, while PIN_PEPPER still contains its old pepper", async () => {
    const stored = await hasherWith(oldPepper).hash(enteredBy(7));
    const both = hasherWith(newPepper, oldPepper);

    expect([await both.matches(enteredBy(7), stored), both.isCurrent(stored)]).toEqual([true, false]);
    await expect(hasherWith(newPepper).matches(enteredBy(7), stored)).rejects.toThrow(
      'a PIN was hashed with the pepper old, which PIN_PEPPER does not contain',
    );
  });

  test('no longer needs the old pepper once it is renewed with the new one', async () => {
    const stored = await hasherWith(newPepper, oldPepper).hash(enteredBy(7));
    const only = hasherWith(newPepper);

    expect([await only.matches(enteredBy(7), stored), only.isCurrent(stored)]).toEqual([true, true]);
  });
});
