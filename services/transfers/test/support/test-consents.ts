import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { signStatement } from '@comanda/shared/crypto/statement';
import { agreementTo } from '../../src/transfers/check-consent.ts';
import type { TransferTerms } from '../../src/transfers/transfer.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicKey = createPublicKey(privateKey);
const kid = `test-consents-${randomUUID()}`;

/** The public keys for the authorizations that `newCommand` creates. They replace auth-stepup's keys. */
export const testConsentKeys = new Map([[kid, publicKey]]);
export const testConsentJwk = {
  ...publicKey.export({ format: 'jwk' }),
  kid,
  use: 'sig',
  alg: 'ES256',
  purpose: 'consents',
};

type Agreed = Omit<TransferTerms, 'description'> & { userId: number; jti: string };

/** Returns the claims of an authorization for this transfer only. */
export const claimsOf = (terms: Agreed) => ({
  iss: 'comanda',
  sub: String(terms.userId),
  jti: terms.jti,
  endpoint_key: `${terms.kind}.create`,
  authorization_details: [agreementTo(terms)],
  pin_version: 1,
  iat: Math.floor(Date.now() / 1000),
});

export const signTestConsent = (claims: object): string => signStatement(claims, 'consent+jws', { kid, privateKey });
