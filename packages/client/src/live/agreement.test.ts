import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createAgreement, type Agreement } from './agreement.ts';

let reported: string | null;
let agreement: Agreement;
beforeEach(() => {
  jest.useFakeTimers();
  reported = 'a';
  agreement = createAgreement(() => reported);
  agreement.note('a');
});
afterEach(() => {
  jest.useRealTimers();
});
const read = (): void => agreement.beginRead()();
const wait = (seconds: number): void => jest.advanceTimersByTime(seconds * 1000);

test('when the list was not read yet, or the server tells nothing, then nothing is known', () => {
  const beforeRead = agreement.holds();
  read();
  reported = null;

  expect([beforeRead, agreement.holds()]).toEqual([false, false]);
});

test('when the server tells what the list has, or has had for up to 30 s, then they agree', () => {
  read();
  const atFirst = agreement.holds();
  reported = 'b'; // the feed is a moment behind
  const serverIsAhead = agreement.holds();
  agreement.note('b');
  const caughtUp = agreement.holds();
  agreement.note('c');
  agreement.note('d');
  wait(29);
  const serverIsBehind = agreement.holds();
  wait(2);

  expect([atFirst, serverIsAhead, caughtUp, serverIsBehind]).toEqual([true, false, true, true]);
  expect(agreement.holds()).toBe(false);
});

test('when the list is a part of what the server has, then they agree until the server tells something else', () => {
  reported = 'all';
  read();
  const unchanged = agreement.holds();
  reported = 'changed';
  const changed = agreement.holds();
  const finish = agreement.beginRead();
  reported = 'changed meanwhile';
  finish();

  expect([unchanged, changed, agreement.holds()]).toEqual([true, false, false]);
});

test('when 5 min have passed since the last read, or there was a gap, then the list is to be read', () => {
  read();
  wait(299);
  const soon = agreement.holds();
  wait(2);
  const late = agreement.holds();
  read();
  agreement.forget();

  expect([soon, late, agreement.holds()]).toEqual([true, false, false]);
});
