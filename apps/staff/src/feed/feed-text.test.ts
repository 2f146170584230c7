import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { FeedState } from '@comanda/client/core';
import { chooseLanguage } from '@comanda/ui/language.ts';
import { onDevice } from '@comanda/ui/on-device.ts';
import { feedText } from './feed-text.ts';

const before = { language: onDevice.language.signal.value, clock: onDevice.restaurantClock.signal.value };
beforeEach(() => onDevice.restaurantClock.write({ timeZone: 'UTC', dayStartsAt: '04:00' }));
afterEach(() => {
  onDevice.language.write(before.language);
  onDevice.restaurantClock.write(before.clock);
});

const sinceMs = Date.parse('2026-11-28T21:10:05.000Z');
const unread: FeedState = { kind: 'not_live', sinceMs, why: 'unread' };
const lost: FeedState = { kind: 'not_live', sinceMs, why: 'lost' };

test.each([
  ['en', unread, null, 'ORDERS MAY BE MISSING since 21:10:05'],
  // This is shown beside “Tickets as of 21:10:00”.
  ['en', unread, sinceMs - 5_000, 'ORDERS MAY BE MISSING'],
  ['pt-BR', unread, null, 'PODEM FALTAR PEDIDOS desde 21:10:05'],
  ['pt-BR', unread, sinceMs - 5_000, 'PODEM FALTAR PEDIDOS'],
  ['en', lost, sinceMs - 5_000, 'NOT LIVE since 21:10:05'],
] as const)("the feed's line in %s shows a single time for what may be missing: %j, %j", (...row) => {
  const [reader, state, knownAtMs, text] = row;
  chooseLanguage(reader);

  expect(feedText(state, knownAtMs)).toBe(text);
});
