import { CallFailure, type AskConsent, type CallOptions, type Client, type Consent } from '@comanda/client/core';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { pinCall, type PinCallOptions } from './pin-call.ts';

type Transfer = { id: number };
const input = { from_account_id: 21, to_account_id: 22, amount: '12.50', currency: 'BRL' } as const;
const details = { type: 'internal_transfer', ...input };
const failureOf = (code: 'step_up_required' | 'step_up_expired' | 'insufficient_funds' | 'unreachable') =>
  new CallFailure(code, { code, outcome: code === 'unreachable' ? 'unknown' : 'none' });
const challenge = failureOf('step_up_required');
const wrongPin = new CallFailure('wrong', {
  code: 'transaction_password_invalid',
  outcome: 'none',
  problem: { attempts_remaining: 2 } as never,
});

afterEach(() => void jest.useRealTimers());

/**
 * Makes a transfer whose responses the test determines. `asked` requests the PIN, `answer` and `reject` respond to the call, and
 * `questions` counts how often the page has asked for the result.
 */
async function openTransfer(options: Pick<PinCallOptions<Transfer>, 'from' | 'isDecided'> = {}) {
  let consent: AskConsent = () => Promise.resolve(null);
  let respond: { answer: (transfer: Transfer) => void; reject: (failure: CallFailure) => void };
  const signals: (AbortSignal | undefined)[] = [];
  const found: (Transfer | CallFailure)[] = [];
  let questions = 0;
  const calls = {
    transferMoney: (_input: unknown, given: CallOptions) => {
      consent = given.consent as AskConsent;
      signals.push(given.signal);
      return new Promise<Transfer>((answer, reject) => {
        respond = { answer, reject };
      });
    },
  } as unknown as Client['calls'];
  const call = pinCall<'transferMoney', Transfer>({ calls }, 'transferMoney', {
    input,
    key: 'key',
    ask: async ({ idempotencyKey, consent: never }) => {
      questions += 1;
      expect([idempotencyKey, never]).toEqual(['key', 'never']);
      const next = found.shift() ?? failureOf('unreachable');
      if (next instanceof CallFailure) throw next;
      return next;
    },
    ...options,
  });
  await Promise.resolve();
  const asked = (differs: { challenge?: CallFailure; refused?: CallFailure } = {}): Promise<Consent | null> =>
    consent({ call: 'transferMoney', input, endpointKey: 'transfer', details, challenge, ...differs });
  return {
    call,
    asked,
    found,
    signals,
    answer: (transfer: Transfer): void => respond.answer(transfer),
    reject: (failure: CallFailure): void => respond.reject(failure),
    questions: () => questions,
    stage: () => call.stage.value,
  };
}
type Opened = Awaited<ReturnType<typeof openTransfer>>;
/** Waits until all code has run that does not wait for a timer or a response. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a call with a PIN', () => {
  test('goes from the check through the PIN to the response', async () => {
    const { call, asked, answer, stage } = await openTransfer();
    const kinds = [stage().kind];
    const given = asked();
    kinds.push(stage().kind);
    call.enter('739152');
    kinds.push(stage().kind);
    expect(await given).toEqual({ transaction_password: '739152', authorization_details: [call.details] });
    answer({ id: 7 });
    expect(await call.ended).toEqual({ kind: 'done', answer: { id: 7 }, wasAsked: false });
    expect(kinds).toEqual(['checking', 'pin', 'sending']);
  });
  test('asks again after a wrong PIN', async () => {
    const { call, asked, stage } = await openTransfer();
    void asked();
    call.enter('260817');
    void asked({ refused: wrongPin });
    expect(stage()).toEqual({ kind: 'pin', hint: { kind: 'wrong', left: 2 } });
    call.close();
  });
  test('sends a PIN that was entered before the call', async () => {
    const { call, asked } = await openTransfer({ from: { kind: 'pin', hint: null } });
    call.enter('739152');
    expect(await asked()).toMatchObject({ transaction_password: '739152' });
    call.close();
  });
  test('does not ask for a second PIN while the first may have moved money', async () => {
    const isDecided = ({ code }: CallFailure): boolean => code === 'insufficient_funds';
    const { call, asked, stage } = await openTransfer({ from: { kind: 'pin', hint: null }, isDecided });
    call.enter('739152');
    await asked();
    expect(await asked({ challenge: failureOf('step_up_expired') })).toBeNull();
    expect(stage().kind).toBe('sending');
    call.close();
  });
  test('ends as refused if the server rejects it', async () => {
    const { call, reject } = await openTransfer();
    const failure = failureOf('insufficient_funds');
    reject(failure);
    expect(await call.ended).toEqual({ kind: 'refused', failure, wasAsked: false, cause: null });
  });
});

describe('a call without a response', () => {
  test('is asked about until the server responds', async () => {
    const { call, reject, found, questions, stage } = await openTransfer({ from: { kind: 'pin', hint: null } });
    call.enter('739152');
    reject(failureOf('unreachable'));
    await settle();
    expect(stage()).toMatchObject({ kind: 'asking', isLate: false, count: 1 });
    found.push({ id: 7 });
    call.askNow();
    expect(await call.ended).toEqual({ kind: 'done', answer: { id: 7 }, wasAsked: true });
    expect(questions()).toBe(2);
  });
  test('is asked about after a reload, without a new attempt', async () => {
    const { call, found, signals } = await openTransfer({ from: { kind: 'asking' } });
    found.push(challenge);
    expect(call.stage.value).toMatchObject({ kind: 'asking', isLate: true });
    call.askNow();
    expect(await call.ended).toMatchObject({ kind: 'refused', failure: challenge, wasAsked: true });
    expect(signals).toEqual([]);
  });
  test('is late after 8 s', async () => {
    jest.useFakeTimers();
    const { call, stage } = await openTransfer({ from: { kind: 'pin', hint: null } });
    call.enter('739152');
    jest.advanceTimersByTime(7999);
    expect(stage()).toEqual({ kind: 'sending', isLate: false });
    jest.advanceTimersByTime(1);
    expect(stage()).toEqual({ kind: 'sending', isLate: true });
    call.close();
  });
});

describe('leaving', () => {
  test.each([
    ['a response', (transfer: Opened) => transfer.answer({ id: 7 })],
    ['a failure', (transfer: Opened) => transfer.reject(failureOf('insufficient_funds'))],
    ['a request for the PIN', (transfer: Opened) => void transfer.asked()],
  ])('during the check ends the call, and %s that arrives later changes nothing', async (_what, arrive) => {
    const transfer = await openTransfer();
    const shown: string[] = [];
    transfer.call.stage.subscribe(({ kind }) => shown.push(kind));
    transfer.call.leave();
    arrive(transfer);
    await settle();
    expect(await transfer.call.ended).toEqual({ kind: 'left' });
    expect(shown).toEqual(['checking']);
  });
  test('at the PIN pad authorizes nothing', async () => {
    const { call, asked, signals } = await openTransfer();
    const given = asked();
    call.leave();
    expect([await given, signals[0]?.aborted]).toEqual([null, false]);
  });
  test('after the PIN does not end the call, because money may have moved', async () => {
    const { call, answer } = await openTransfer({ from: { kind: 'pin', hint: null } });
    call.enter('739152');
    call.leave();
    answer({ id: 7 });
    expect(await call.ended).toMatchObject({ kind: 'done' });
  });
  test('when the session ends aborts the request, so that the call stays pending', async () => {
    const { call, answer, signals, stage } = await openTransfer({ from: { kind: 'pin', hint: null } });
    call.enter('739152');
    call.close();
    answer({ id: 7 });
    await settle();
    expect([await call.ended, signals[0]?.aborted, stage().kind]).toEqual([{ kind: 'left' }, true, 'sending']);
  });
});
