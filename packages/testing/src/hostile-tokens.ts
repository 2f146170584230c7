import { createHmac, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { signWith } from './tokens.ts';
import type { TestIssuer } from './tokens.ts';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens that must be refused everywhere, by what is wrong with them; the rest of each is right, and for a manager. */
export async function hostileTokens(issuer: Omit<TestIssuer, 'token' | 'close'>): Promise<Record<string, string>> {
  const answer = await fetch(issuer.jwksUrl);
  const { keys } = (await answer.json()) as { keys: { kid: string }[] };
  const [jwk] = keys;
  if (!jwk) throw new Error('the issuer has no key');
  const { kid } = jwk;
  const publicKey = createPublicKey({ key: jwk as Record<string, string>, format: 'jwk' });
  const thief = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const stolen = signWith({ kid, privateKey: thief.privateKey });
  const thiefJwk = { ...thief.publicKey.export({ format: 'jwk' }), kid };

  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer.issuer,
    aud: issuer.audience,
    sub: '5',
    role: 'manager',
    name: 'Ana',
    jti: randomUUID(),
    auth_time: now,
    iat: now,
    exp: now + 900,
  };
  const header = { alg: 'ES256', typ: 'at+jwt', kid };
  const without = (name: keyof typeof claims) =>
    Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
  const right = (payload: object, more: Record<string, unknown> = {}): string =>
    issuer.sign(payload as Record<string, unknown>, more);
  const hmac = (secret: string | Buffer): string => {
    const text = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const [ownHeader = '', , ownSignature = ''] = right(claims).split('.');

  return {
    'alg none': `${part({ ...header, alg: 'none' })}.${part(claims)}.`,
    'alg None': `${part({ ...header, alg: 'None' })}.${part(claims)}.`,
    'no signature': `${part(header)}.${part(claims)}.`,
    'HS256 with the public key as PEM': hmac(publicKey.export({ type: 'spki', format: 'pem' })),
    'HS256 with the public key as DER': hmac(publicKey.export({ type: 'spki', format: 'der' })),
    'HS256 with the public key as JWK': hmac(JSON.stringify(jwk)),
    "another's signature": stolen(claims),
    'an embedded jwk': stolen(claims, { jwk: thiefJwk }),
    'a jku': stolen(claims, { jku: 'http://127.0.0.1:1/jwks.json' }),
    'an x5u': stolen(claims, { x5u: 'http://127.0.0.1:1/cert.pem' }),
    'an unknown kid': stolen(claims, { kid: randomUUID() }),
    'a kid that is a path': stolen(claims, { kid: '../../../dev/null' }),
    'no kid': right(claims, { kid: undefined }),
    'another payload': `${ownHeader}.${part({ ...claims, sub: '1' })}.${ownSignature}`,
    'typ JWT': right(claims, { typ: 'JWT' }),
    'typ of a step-up token': right(claims, { typ: 'step-up+jwt' }),
    crit: right(claims, { crit: ['b64'], b64: false }),
    'another iss': right({ ...claims, iss: 'other' }),
    'another aud': right({ ...claims, aud: 'comanda:step-up' }),
    'aud as array': right({ ...claims, aud: [issuer.audience] }),
    'no exp': right(without('exp')),
    expired: right({ ...claims, iat: now - 1000, exp: now - 1 }),
    'iat to come': right({ ...claims, iat: now + 600 }),
    'nbf to come': right({ ...claims, nbf: now + 600 }),
    'no sub': right(without('sub')),
    'sub as number': right({ ...claims, sub: 5 }),
    'sub as object': right({ ...claims, sub: { $gt: '' } }),
    'sub as array': right({ ...claims, sub: ['5'] }),
    'role as array': right({ ...claims, role: ['manager'] }),
    'role as object': right({ ...claims, role: { manager: true } }),
    'an unknown role': right({ ...claims, role: 'admin' }),
    '8 KB': right({ ...claims, name: 'A'.repeat(6000) }),
    'null for a header': `${part(null)}.${part(claims)}.${ownSignature}`,
    'not a token': 'not-a-token',
  };
}
