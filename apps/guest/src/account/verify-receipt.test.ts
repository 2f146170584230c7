import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Client } from '@comanda/client/core';
import { verifyReceipt } from './verify-receipt.ts';

/** Creates a signing key with this purpose, as in the restaurant's key set. */
function newKey(purpose: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    jwk: { ...publicKey.export({ format: 'jwk' }), kid: purpose, purpose },
    sign: (payload: object, typ: string): string => {
      const signed = `${encode({ alg: 'ES256', kid: purpose, typ })}.${encode(payload)}`;
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
  };
}
const [receipts, consents] = [newKey('receipts'), newKey('consents')];
const client = { calls: { jwks: () => Promise.resolve({ keys: [receipts.jwk, consents.jwk] }) } } as unknown as Client;

const shown = {
  id: 310,
  from_account_id: 21,
  to_account_id: 22,
  amount: '12.50',
  currency: 'BRL',
  description: null,
  status: 'posted',
  created_at: '2026-11-20T21:00:00.000Z',
} as const;
const agreed = { type: 'internal_transfer', from_account_id: 21, to_account_id: 22, amount: '12.50', currency: 'BRL' };
const claims = { sub: '5', endpoint_key: 'internal_transfer.create', jti: 'j', pin_version: 1 };
const signed = { ...shown, kind: 'internal_transfer', user_id: 5, jti: 'j', pin_version: 1 };
const consentTo = (change: object = {}, key = consents): string =>
  key.sign({ ...claims, authorization_details: [{ ...agreed, ...change }] }, 'consent+jws');
/** In a bill payment, the authorization names the payment instead of the payee. */
const billPayment = { ...signed, kind: 'bill_payment', payment_id: 77 };
const consentToPayment = (payment: number): string => {
  const details = { type: 'bill_payment', payment_id: payment, from_account_id: 21, amount: '12.50', currency: 'BRL' };
  const consent = { ...claims, endpoint_key: 'bill_payment.create', authorization_details: [details] };
  return consents.sign(consent, 'consent+jws');
};
const verdictOn = (payload: object) =>
  verifyReceipt(client, { ...shown, receipt: receipts.sign(payload, 'receipt+jws') });

test.each([
  ['that the payer has authorized', { ...signed, consent: consentTo() }, 'genuine'],
  ['whose payer has authorized any transfer', { ...signed, consent: consents.sign(claims, 'consent+jws') }, 'genuine'],
  ['that pays a bill', { ...billPayment, consent: consentToPayment(77) }, 'genuine'],
  ['that pays another bill', { ...billPayment, consent: consentToPayment(78) }, 'not_genuine'],
  ['without an authorization', signed, 'no_consent'],
  ['with an authorization for another amount', { ...signed, consent: consentTo({ amount: '12.51' }) }, 'not_genuine'],
  ['with an authorization for another payee', { ...signed, consent: consentTo({ to_account_id: 23 }) }, 'not_genuine'],
  ['with an authorization by another user', { ...signed, user_id: 6, consent: consentTo() }, 'not_genuine'],
  [
    'with an authorization for another endpoint',
    { ...signed, kind: 'account_deposit', consent: consentTo() },
    'not_genuine',
  ],
  [
    'whose authorization was signed with a key for receipts',
    { ...signed, consent: consentTo({}, receipts) },
    'not_genuine',
  ],
  ['with an amount other than the one shown', { ...signed, amount: '99.00', consent: consentTo() }, 'not_genuine'],
])('a receipt for a transfer %s gets the right verdict', async (_what, payload, verdict) => {
  expect(await verdictOn(payload)).toBe(verdict);
});
