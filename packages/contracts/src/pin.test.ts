import { expect, test } from '@jest/globals';
import { createPin } from './pin.ts';

const errorOf = (pin: unknown): string | undefined =>
  createPin.body?.validate({ transaction_password: pin, confirmation: '739152' }, { convert: false }).error?.message;

test('a PIN of six digits is accepted, even if it starts with zeros', () => {
  expect([errorOf('739152'), errorOf('007391')]).toEqual([undefined, undefined]);
});

test.each(['12345', '1234567', 'abcdef', '１２３４５６', '73915 ', '', 739_152])(
  "%j is rejected as a PIN, and the message doesn't repeat it",
  (bad) => {
    expect(errorOf(bad)).toMatch(/^"transaction_password" (must be|is not allowed)/);
    expect(bad !== '' && errorOf(bad)?.includes(String(bad))).toBe(false);
  },
);
