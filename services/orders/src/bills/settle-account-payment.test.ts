import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { signStatement, type Signer, type StatementType } from '@comanda/shared/crypto/statement';
import { readSettlement } from './settle-account-payment.ts';

const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ofTransfers = pair();
const signer: Signer = { kid: 'receipts', privateKey: ofTransfers.privateKey };
/** Only the key of the transfers service is known. */
const keys = { key: async (kid: string) => (kid === signer.kid ? ofTransfers.publicKey : undefined) };
const receipt = {
  id: 9,
  from_account_id: 21,
  to_account_id: 2,
  amount: '65.00',
  currency: 'BRL',
  status: 'posted',
  created_at: '2026-11-20T21:00:00.000Z',
  jti: 'token',
  payment_id: 77,
  kind: 'bill_payment',
  user_id: 5,
};
const sign = (payload: object, typ: StatementType = 'receipt+jws', by = signer): string =>
  signStatement(payload, typ, by);

describe('a signed statement about a payment', () => {
  test.each([
    ['payment', 'bill_payment'],
    ['refund', 'bill_refund'],
  ])('proves a %s if it is the receipt of a %s', async (purpose, kind) => {
    expect(await readSettlement(keys, sign({ ...receipt, kind }))).toEqual({
      kind: 'receipt',
      purpose,
      paymentId: 77,
      transferId: 9,
      jti: 'token',
      amount: '65.00',
      currency: 'BRL',
      userId: 5,
      postedAt: new Date('2026-11-20T21:00:00Z'),
    });
  });

  test.each(['refusal+jws', 'expiry+jws'] as const)('proves as %s that its token has ended', async (typ) => {
    expect(await readSettlement(keys, sign({ jti: 'token' }, typ))).toEqual({ kind: 'end', jti: 'token' });
  });

  test.each([
    ['no payment', { payment_id: undefined }],
    ['no payer', { user_id: undefined }],
    ['no time', { created_at: undefined }],
    ['no token', { jti: undefined }],
    ['no amount', { amount: undefined }],
    ['no currency', { currency: undefined }],
    ['no id', { id: undefined }],
    ['no kind', { kind: undefined }],
    ['the kind of a transfer', { kind: 'internal_transfer' }],
    ['another status', { status: 'refused' }],
  ])('proves nothing if it is a receipt with %s', async (_what, wrong) => {
    expect(await readSettlement(keys, sign({ ...receipt, ...wrong }))).toBeNull();
  });

  test.each([
    ['another key under the same id', sign(receipt, 'receipt+jws', { ...signer, privateKey: pair().privateKey })],
    ['another type', sign(receipt, 'checkpoint+jws')],
    ['no signature', `${sign(receipt).split('.').slice(0, 2).join('.')}.`],
    ['a changed byte', `${sign(receipt).slice(0, -4)}AAAA`],
    ['no JWS', 'paid'],
    ['no token in a rejection', sign({ id: 1 }, 'refusal+jws')],
  ])('proves nothing if it has %s', async (_what, statement) => {
    expect(await readSettlement(keys, statement)).toBeNull();
  });

  test('causes a 503 if its key is unknown, because the key may be too new', async () => {
    const unknown = sign(receipt, 'receipt+jws', { ...signer, kid: 'next' });

    await expect(readSettlement(keys, unknown)).rejects.toMatchObject({
      code: 'service_unavailable',
      headers: { 'Retry-After': '10' },
    });
  });
});
