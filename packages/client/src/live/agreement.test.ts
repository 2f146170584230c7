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

test('the agreement requires a fetched list and a checksum from the server', () => {
  const beforeRead = agreement.holds();
  read();
  reported = null;

  expect([beforeRead, agreement.holds()]).toEqual([false, false]);
});

test("the agreement holds if the list's checksum matched the server's within the last 30 s", () => {
  read();
  const atFirst = agreement.holds();
  reported = 'b'; // The feed is slightly behind the list.
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

test("the agreement for a partial list ends when the server's checksum changes", () => {
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

test('the agreement ends 5 min after the last fetch, or after a gap', () => {
  read();
  wait(299);
  const soon = agreement.holds();
  wait(2);
  const late = agreement.holds();
  read();
  agreement.forget();

  expect([soon, late, agreement.holds()]).toEqual([true, false, false]);
});
