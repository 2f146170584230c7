import { expect, test } from '@jest/globals';
import type { PinHolder } from './pin-document.ts';
import { turnOwnerOf, type PinRequester } from './pin-requester.ts';

const hourMs = 3_600_000;
const now = Date.parse('2026-01-02T12:00:00Z');
const requester = { caller: { userId: 7 }, origin: { address: '2001:db8::1' } } as PinRequester;
const withPinOf = (hours: number) => ({ createdAt: now - hours * hourMs });

test.each([
  ['a waiter with a new PIN', { role: 'waiter', pin: withPinOf(0) }, 'staff'],
  ['a manager without a PIN', { role: 'manager', pin: null }, 'staff'],
  ['a customer without a PIN', { role: 'customer', pin: null }, 'newcomers'],
  ['a customer whose PIN is 23 hours old', { role: 'customer', pin: withPinOf(23) }, 'newcomers'],
  ['a customer whose PIN is 25 hours old', { role: 'customer', pin: withPinOf(25) }, 'customers'],
])('hashing a PIN for %s waits its turn by network and group', (_who, holder, group) => {
  expect(turnOwnerOf(requester, { holder: holder as PinHolder, now })).toEqual({
    userId: 7,
    network: '2001:db8:0:0::/64',
    group,
  });
});
