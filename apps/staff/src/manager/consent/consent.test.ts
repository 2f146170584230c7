import {
  CallFailure,
  type AskConsent,
  type CallOptions,
  type Client,
  type Consent,
  type Input,
} from '@comanda/client/core';
import { expect, test } from '@jest/globals';
import { openConsent, PinBlocked } from './consent.ts';
import { deposit } from '../deposits/deposit.ts';

const account = { id: 7, currency: 'BRL', owner_name: 'Ana' } as Parameters<typeof deposit>[1];
const details = { type: 'account_deposit', account_id: 7, amount: '50', currency: 'BRL' };
const challenge = new CallFailure('PIN', { code: 'step_up_required', outcome: 'none' });

/** Opens the manager's dialog. The server requires the PIN for a deposit; `given` collects what the manager has authorized. */
function openDialog({ status = 'usable', until }: { status?: string; until?: string } = {}) {
  const given: (Consent | null)[] = [];
  const calls = {
    transactionPassword: () => Promise.resolve({ status, blocked_until: until }),
    deposit: async (input: Input<'deposit'>, { consent }: CallOptions) => {
      const request = { call: 'deposit', input, endpointKey: 'account.deposit', details: null, challenge } as const;
      const answer = await (consent as AskConsent)(request);
      given.push(answer);
      if (answer === null) throw challenge;
      return { id: 310 };
    },
  } as unknown as Client['calls'];
  const consent = openConsent({ calls });
  const put = (input: Input<'deposit'>) => deposit(consent, account, { input, key: 'key' });
  /** Enters the PIN as soon as the dialog asks for it. Resolves to the details in the dialog. */
  const enterPin = async (): Promise<unknown> => {
    await new Promise((resolve) => setImmediate(resolve));
    const call = consent.asked.value?.call;
    expect(call?.stage.value).toEqual({ kind: 'pin', hint: null });
    call?.enter('739152');
    return call?.details;
  };
  return { consent, put, enterPin, given };
}

test.each([
  ['says its currency', { id: 7, amount: '50', currency: 'BRL' } as const],
  ['comes from an earlier release without a currency', { id: 7, amount: '50' }],
])('the PIN for a deposit that %s authorizes exactly what the dialog shows', async (_case, input) => {
  const { put, enterPin, given } = openDialog();
  const posted = put(input);
  const shown = await enterPin();
  await posted;
  expect(shown).toEqual(details);
  expect(given).toEqual([{ transaction_password: '739152', authorization_details: [shown] }]);
});

test('a call whose details are incomplete never gets the PIN', async () => {
  const { consent, given } = openDialog();
  const input = { id: 7, amount: '50' };
  const called = consent.run({ call: 'deposit', input, purpose: () => 'You deposit 50.00' });
  await expect(called).rejects.toThrow('deposit does not say all');
  expect(given).toEqual([]);
});

test('a blocked PIN is not requested, and causes a failure without a call', async () => {
  const { put, given, consent } = openDialog({ status: 'blocked', until: '2026-11-20T21:30:00Z' });
  const failure: unknown = await put({ id: 7, amount: '50' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PinBlocked);
  expect(failure).toMatchObject({ until: '2026-11-20T21:30:00Z' });
  expect([given, consent.asked.value]).toEqual([[null], null]);
});
