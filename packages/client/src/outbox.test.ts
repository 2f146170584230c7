import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { until } from '@comanda/testing/until';
import { CallFailure } from './call-failure.ts';
import { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts';

type Letter = { key: string; text?: string };
/** One attempt to send a letter, which the test answers. */
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

/** An outbox whose server is moved by hand. `log` is what the outbox has told, in order. */
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

/** Two tabs of one device, which share what is kept. */
function openTabs(kept: readonly Letter[] = []) {
  const device = { letters: kept };
  return { device, one: openOutbox({}, [], device), other: openOutbox({}, [], device) };
}
const nothing = { get: () => [], write: () => {} };

describe('an outbox', () => {
  test('when two letters are added, then the second one is sent after the first one is answered', async () => {
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
    ['nobody is reached', unreachable],
    ['the session has ended', sessionEnded],
  ])('when %s, then the same letter is sent again before the next one', async (_what, failure) => {
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

  test('when the server refuses a letter, then it leaves the outbox, and the next one is sent', async () => {
    const { add, nextAttempt, log, untilEmpty } = openOutbox();
    add({ key: 'a' });
    add({ key: 'b' });
    (await nextAttempt()).fail(refusal);
    (await nextAttempt()).response('yes');

    await untilEmpty();

    expect(log).toEqual(['a refused: menu_item_unknown, 2 here', 'b sent: yes, 1 here']);
  });

  test('when a rule of its own says so, then a session that has ended is a refusal', async () => {
    const { add, nextAttempt, log, untilEmpty } = openOutbox({ isDecided: ({ isUndecided }) => !isUndecided });
    add({ key: 'a' });
    (await nextAttempt()).fail(sessionEnded);

    await untilEmpty();

    expect(log).toEqual(['a refused: invalid_token, 1 here']);
  });

  test('when letters were kept from before a reload, then they are sent, and nobody was called before the outbox was there', async () => {
    const { nextAttempt, countOfAttempts, log, untilEmpty } = openOutbox({}, [{ key: 'a' }]);
    const atOnce = countOfAttempts();
    (await nextAttempt()).response('yes');

    await untilEmpty();

    expect(atOnce).toBe(0);
    expect(log).toEqual(['a sent: yes, 1 here']);
  });

  test('when a letter is changed while it is sent, then the next attempt and the device have the change', async () => {
    const { add, nextAttempt, device } = openOutbox();
    add({ key: 'a' });
    const first = await nextAttempt();
    first.change({ key: 'a', text: 'table 12' });
    first.fail(unreachable);

    const second = await nextAttempt();

    expect([second.letter, device.letters]).toEqual([{ key: 'a', text: 'table 12' }, [{ key: 'a', text: 'table 12' }]]);
  });

  test('when somebody wants to try now, then an attempt that has waited for 2.5 s ends and the letter is sent again', async () => {
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

  test('when somebody wants to try now during a pause, then the pause ends', async () => {
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

  test('when a letter is taken out while it is sent, then its attempt ends, its answer is not told, and the next one is sent', async () => {
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

  test('when it is closed, then the attempt ends, nothing more is sent, and the letters are kept', async () => {
    const { add, nextAttempt, close, countOfAttempts, device } = openOutbox();
    add({ key: 'a' });
    const { signal } = await nextAttempt();
    close();
    await new Promise(setImmediate);

    expect([signal.aborted, countOfAttempts(), device.letters]).toEqual([true, 0, [{ key: 'a' }]]);
  });

  test('when a letter stays for long, then that is told once; of one that was answered before, not at all', async () => {
    const late: string[] = [];
    const { add, nextAttempt } = openOutbox({ onLate: ({ key }) => late.push(key) });
    add({ key: 'a' });
    add({ key: 'b' });
    (await nextAttempt()).response('yes');

    await until(() => late.length > 0, { what: 'a letter to be late' });

    expect(late).toEqual(['b']);
  });

  test('when its entries change, then each change is told', async () => {
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

describe('outboxes of two tabs', () => {
  test('when each has a letter that is not answered, then the device keeps both, and a reload goes on with both', async () => {
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

  test('when the letter of one is answered, then that of the other one is still kept', async () => {
    const { device, one, other } = openTabs();
    other.add({ key: 'b' });
    one.add({ key: 'a' });
    (await one.nextAttempt()).response('yes');

    await one.untilEmpty();

    expect(device.letters).toEqual([{ key: 'b' }]);
  });

  test('when one has sent a letter that both had, then the other one leaves it out at its next try', async () => {
    const { one, other } = openTabs([{ key: 'a' }]);
    const lost = await other.nextAttempt();
    (await one.nextAttempt()).response('yes');
    await one.untilEmpty();
    lost.fail(unreachable);

    await other.untilEmpty();

    expect([one.log, other.log]).toEqual([['a sent: yes, 1 here'], []]);
    expect(other.countOfAttempts()).toBe(0);
  });

  test('when one has changed a letter that both had, then the other one sends the changed one', async () => {
    const { one, other } = openTabs([{ key: 'a' }]);
    const lost = await other.nextAttempt();
    (await one.nextAttempt()).change({ key: 'a', text: 'table 12' });
    lost.fail(unreachable);

    const again = await other.nextAttempt();

    expect(again.letter).toEqual({ key: 'a', text: 'table 12' });
  });

  test('when the device keeps nothing, then a letter is sent all the same', async () => {
    const { add, nextAttempt, log, untilEmpty } = openOutbox({ storage: nothing });
    add({ key: 'a' });
    (await nextAttempt()).fail(unreachable);
    (await nextAttempt()).response('yes');

    await untilEmpty();

    expect(log).toEqual(['a sent: yes, 1 here']);
  });
});
