import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { until } from '@comanda/testing/until';
import { CallFailure } from './call-failure.ts';
import { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts';

type Letter = { key: string; text?: string };
/** An attempt to send a letter. The test determines the response. */
type Attempt = {
  letter: Letter;
  signal: AbortSignal;
  change: (letter: Letter) => void;
  response: (response: string) => void;
  fail: (error: Error) => void;
};
const unreachable = new CallFailure('nobody there', { code: 'unreachable', outcome: 'unknown', retryAfterMs: 5 });
const refusal = new CallFailure('no such dish', { code: 'menu_item_unknown', outcome: 'none' });
const sessionEnded = new CallFailure('no token', { code: 'invalid_token', outcome: 'none', retryAfterMs: 5 });

const opened: Outbox<Letter>[] = [];
afterEach(() => {
  for (const outbox of opened.splice(0)) outbox.close();
  jest.restoreAllMocks();
});

/** Opens an outbox with a server that the test controls. `log` lists everything that the outbox has reported. */
function openOutbox(
  options: Partial<OutboxOptions<Letter, string>> = {},
  kept: readonly Letter[] = [],
  device = { letters: kept },
) {
  const log: string[] = [];
  const attempts: Attempt[] = [];
  const outbox = createOutbox<Letter, string>({
    storage: { get: () => device.letters, write: (letters) => (device.letters = letters) },
    keyOf: ({ key }) => key,
    send: (letter, { signal, change }) =>
      new Promise((resolve, reject) => {
        attempts.push({ letter, signal, change, response: resolve, fail: reject });
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    onSent: ({ key }, response) => log.push(`${key} sent: ${response}, ${outbox.entries().length} here`),
    onRefused: ({ key }, { code }) => log.push(`${key} refused: ${code}, ${outbox.entries().length} here`),
    ...options,
  });
  opened.push(outbox);
  return {
    ...outbox,
    log,
    device,
    nextAttempt: () => until(() => attempts.shift(), { what: 'an attempt' }),
    untilEmpty: () => until(() => outbox.entries().length === 0, { what: 'the outbox to be empty' }),
    countOfAttempts: () => attempts.length,
  };
}

/** Opens two tabs on one device. Both use the device's storage. */
function openTabs(kept: readonly Letter[] = []) {
  const device = { letters: kept };
  return { device, one: openOutbox({}, [], device), other: openOutbox({}, [], device) };
}
const nothing = { get: () => [], write: () => {} };

describe('an outbox', () => {
  test('sends the second letter after the first has a response', async () => {
    const { add, nextAttempt, countOfAttempts, log, untilEmpty, device } = openOutbox();
    add({ key: 'a' });
    add({ key: 'b' });
    const first = await nextAttempt();
    const duringFirst = { attempts: countOfAttempts(), kept: device.letters };
    first.response('yes');
    (await nextAttempt()).response('yes');

    await untilEmpty();

    expect(duringFirst).toEqual({ attempts: 0, kept: [{ key: 'a' }, { key: 'b' }] });
    expect(log).toEqual(['a sent: yes, 2 here', 'b sent: yes, 1 here']);
    expect(device.letters).toEqual([]);
  });

  test.each([
    ['the server is unreachable', unreachable],
    ['the session has ended', sessionEnded],
  ])('retries a letter before it sends the next one when %s', async (_what, failure) => {
    const { add, nextAttempt, log, untilEmpty } = openOutbox();
    add({ key: 'a' });
    add({ key: 'b' });
    (await nextAttempt()).fail(failure);

    const again = await nextAttempt();
    again.response('yes');
    (await nextAttempt()).response('yes');

    await untilEmpty();
    expect(again.letter).toEqual({ key: 'a' });
    expect(log).toEqual(['a sent: yes, 2 here', 'b sent: yes, 1 here']);
  });

  test('drops a rejected letter and sends the next one', async () => {
    const { add, nextAttempt, log, untilEmpty } = openOutbox();
    add({ key: 'a' });
    add({ key: 'b' });
    (await nextAttempt()).fail(refusal);
    (await nextAttempt()).response('yes');

    await untilEmpty();

    expect(log).toEqual(['a refused: menu_item_unknown, 2 here', 'b sent: yes, 1 here']);
  });

  test('treats an ended session as a rejection if `isDecided` returns true for it', async () => {
    const { add, nextAttempt, log, untilEmpty } = openOutbox({ isDecided: ({ isUndecided }) => !isUndecided });
    add({ key: 'a' });
    (await nextAttempt()).fail(sessionEnded);

    await untilEmpty();

    expect(log).toEqual(['a refused: invalid_token, 1 here']);
  });

  test('sends letters that were stored before a reload', async () => {
    const { nextAttempt, countOfAttempts, log, untilEmpty } = openOutbox({}, [{ key: 'a' }]);
    const atOnce = countOfAttempts();
    (await nextAttempt()).response('yes');

    await untilEmpty();

    expect(atOnce).toBe(0);
    expect(log).toEqual(['a sent: yes, 1 here']);
  });

  test('stores a change to a letter and sends the changed letter next', async () => {
    const { add, nextAttempt, device } = openOutbox();
    add({ key: 'a' });
    const first = await nextAttempt();
    first.change({ key: 'a', text: 'table 12' });
    first.fail(unreachable);

    const second = await nextAttempt();

    expect([second.letter, device.letters]).toEqual([{ key: 'a', text: 'table 12' }, [{ key: 'a', text: 'table 12' }]]);
  });

  test('resends a letter that has waited for 2.5 s when tryNow is called', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(10_000);
    const { add, nextAttempt, tryNow, countOfAttempts } = openOutbox();
    add({ key: 'a' });
    const first = await nextAttempt();
    clock.mockReturnValue(12_499);
    tryNow();
    await new Promise(setImmediate);
    const early = { aborted: first.signal.aborted, attempts: countOfAttempts() };
    clock.mockReturnValue(12_500);
    tryNow();
    clock.mockRestore();

    const second = await nextAttempt();

    expect(early).toEqual({ aborted: false, attempts: 0 });
    expect([first.signal.aborted, second.letter.key]).toEqual([true, 'a']);
  });

  test('continues immediately when tryNow is called during a pause', async () => {
    const { add, nextAttempt, tryNow, isSending } = openOutbox();
    add({ key: 'a' });
    (await nextAttempt()).fail(
      new CallFailure('busy', { code: 'rate_limited', outcome: 'none', retryAfterMs: 600_000 }),
    );
    await until(() => !isSending('a'), { what: 'the pause' });
    tryNow();

    const again = await nextAttempt();

    expect(again.letter.key).toBe('a');
  });

  test('aborts the attempt to send a letter that is removed', async () => {
    const { add, nextAttempt, remove, log, untilEmpty } = openOutbox();
    add({ key: 'a' });
    add({ key: 'b' });
    const first = await nextAttempt();
    const taken = remove('a');
    (await nextAttempt()).response('yes');

    await untilEmpty();

    expect([taken, first.signal.aborted]).toEqual([{ key: 'a' }, true]);
    expect(log).toEqual(['b sent: yes, 1 here']);
  });

  test('keeps its letters when it is closed', async () => {
    const { add, nextAttempt, close, countOfAttempts, device } = openOutbox();
    add({ key: 'a' });
    const { signal } = await nextAttempt();
    close();
    await new Promise(setImmediate);

    expect([signal.aborted, countOfAttempts(), device.letters]).toEqual([true, 0, [{ key: 'a' }]]);
  });

  test('reports a late letter once', async () => {
    const late: string[] = [];
    const { add, nextAttempt } = openOutbox({ onLate: ({ key }) => late.push(key) });
    add({ key: 'a' });
    add({ key: 'b' });
    (await nextAttempt()).response('yes');

    await until(() => late.length > 0, { what: 'a letter to be late' });

    expect(late).toEqual(['b']);
  });

  test('reports each change of its entries', async () => {
    const reported: string[][] = [];
    const { add, nextAttempt, untilEmpty } = openOutbox({
      onChange: (letters) => reported.push(letters.map(({ key }) => key)),
    });
    add({ key: 'a' });
    add({ key: 'b' });
    (await nextAttempt()).response('yes');
    (await nextAttempt()).response('yes');

    await untilEmpty();

    expect(reported).toEqual([['a'], ['a', 'b'], ['b'], []]);
  });
});

describe('two tabs with an outbox', () => {
  test('both keep their letters on the device', async () => {
    const { device, one, other } = openTabs();
    one.add({ key: 'a' });
    other.add({ key: 'b' });
    const kept = device.letters;
    one.close();
    other.close();
    const reloaded = openOutbox({}, [], device);
    (await reloaded.nextAttempt()).response('yes');
    (await reloaded.nextAttempt()).response('yes');

    await reloaded.untilEmpty();

    expect(kept).toEqual([{ key: 'a' }, { key: 'b' }]);
    expect([reloaded.log, device.letters]).toEqual([['a sent: yes, 2 here', 'b sent: yes, 1 here'], []]);
  });

  test("leave each other's stored letters alone", async () => {
    const { device, one, other } = openTabs();
    other.add({ key: 'b' });
    one.add({ key: 'a' });
    (await one.nextAttempt()).response('yes');

    await one.untilEmpty();

    expect(device.letters).toEqual([{ key: 'b' }]);
  });

  test('drop a shared letter at the next attempt if the other tab has sent it', async () => {
    const { one, other } = openTabs([{ key: 'a' }]);
    const lost = await other.nextAttempt();
    (await one.nextAttempt()).response('yes');
    await one.untilEmpty();
    lost.fail(unreachable);

    await other.untilEmpty();

    expect([one.log, other.log]).toEqual([['a sent: yes, 1 here'], []]);
    expect(other.countOfAttempts()).toBe(0);
  });

  test('send a shared letter with the change that the other tab has made', async () => {
    const { one, other } = openTabs([{ key: 'a' }]);
    const lost = await other.nextAttempt();
    (await one.nextAttempt()).change({ key: 'a', text: 'table 12' });
    lost.fail(unreachable);

    const again = await other.nextAttempt();

    expect(again.letter).toEqual({ key: 'a', text: 'table 12' });
  });

  test('send a letter even if the device cannot store it', async () => {
    const { add, nextAttempt, log, untilEmpty } = openOutbox({ storage: nothing });
    add({ key: 'a' });
    (await nextAttempt()).fail(unreachable);
    (await nextAttempt()).response('yes');

    await untilEmpty();

    expect(log).toEqual(['a sent: yes, 1 here']);
  });
});
