import type { Client } from '@comanda/client/core';
import { expect, test } from '@jest/globals';
import { createEvents, type SecurityEvent } from './read-security-events.ts';

const event = (type: string) => ({ type }) as SecurityEvent;
const ten = (type: string): SecurityEvent[] => Array.from({ length: 10 }, () => event(type));

/** Opens a list of security events. The test decides when and how each page is returned. */
function openHeld() {
  const asked: ((page: SecurityEvent[]) => void)[] = [];
  async function* pages() {
    for (;;) yield await new Promise<SecurityEvent[]>((resolve) => asked.push(resolve));
  }
  const events = createEvents({ pages } as unknown as Client);
  return { ...events, asked, types: () => [...new Set(events.all.value?.map(({ type }) => type))] };
}

test('the newest events stay when the responses to two requests arrive in reverse order', async () => {
  const { readNewest, asked, types } = openHeld();
  const reads = [readNewest(), readNewest()];
  asked[1]?.([event('step_up_spent'), event('signed_in')]);
  asked[0]?.([event('signed_in')]);
  await Promise.all(reads);
  expect(types()).toEqual(['step_up_spent', 'signed_in']);
});

test('older events are discarded if the list is reloaded while they are loading', async () => {
  const { readNewest, readOlder, asked, types } = openHeld();
  const first = readNewest();
  asked[0]?.(ten('signed_in'));
  await first;
  const reads = [readOlder(), readNewest()];
  asked[2]?.(ten('step_up_spent'));
  asked[1]?.([event('sign_in_failed')]);
  await Promise.all(reads);
  expect(types()).toEqual(['step_up_spent']);
});

test('older events follow the newest when they are requested', async () => {
  const { readNewest, readOlder, asked, types, hasOlder } = openHeld();
  const first = readNewest();
  asked[0]?.(ten('signed_in'));
  await first;
  expect(hasOlder.value).toBe(true);
  const older = readOlder();
  asked[1]?.([event('sign_in_failed')]);
  await older;
  expect([types(), hasOlder.value]).toEqual([['signed_in', 'sign_in_failed'], false]);
});
