import { expect, test } from '@jest/globals';
import type { Client, ConsentRequest } from '@comanda/client';
import { openConsent, type Purpose } from './consent.ts';

const calls = { transactionPassword: () => Promise.resolve({ status: 'usable' }) } as unknown as Client['calls'];
const account: Purpose = { kind: 'deposit', owner: 'Ana', currency: 'BRL' };
const shown = { type: 'account_deposit', account_id: 7, amount: '50', currency: 'BRL' };
const request = { call: 'deposit', input: { id: 7, amount: '50' }, details: null } as unknown as ConsentRequest;

/** Enters the PIN as soon as it is asked for. Returns the consent, and what the dialog showed. */
async function consentTo(of: Purpose, asked: ConsentRequest) {
  const consent = openConsent({ calls });
  const stop = consent.step.subscribe((step) => {
    if (step.kind === 'pin') step.answer({ transaction_password: '739152' });
  });
  try {
    return await consent.run(of, async () => ({
      given: await consent.ask(asked),
      shown: consent.details.value,
    }));
  } finally {
    stop();
  }
}

test('when the manager enters the PIN, then the consent is for exactly what the dialog showed', async () => {
  const details = { ...shown, amount: '60' };

  expect(await consentTo(account, { ...request, details })).toEqual({
    given: { transaction_password: '739152', authorization_details: [details] },
    shown: details,
  });
});

test('when an earlier release has begun a deposit without its currency, then the consent is for that of the account', async () => {
  expect(await consentTo(account, request)).toEqual({
    given: { transaction_password: '739152', authorization_details: [shown] },
    shown,
  });
});

test('when a call does not say all of what it does, then nobody is asked to consent to it', async () => {
  await expect(consentTo(() => 'You deposit 50.00', request)).rejects.toThrow('deposit does not say all');
});
