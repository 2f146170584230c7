import { createHmac, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { signWith, type TestIssuer } from './test-issuer.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Creates tokens that every service must reject, keyed by what is wrong with them. Apart from that, each is a valid token for a
 * manager.
 */
export async function invalidTokens(
  issuer: Pick<TestIssuer, 'jwksUrl' | 'issuer' | 'audience' | 'sign'>,
): Promise<Record<string, string>> {
  const response = await fetch(issuer.jwksUrl);
  const { keys } = (await response.json()) as { keys: { kid: string }[] };
  const [jwk] = keys;
  if (!jwk) throw new Error('the issuer has no key');
  const { kid } = jwk;
  const publicKey = createPublicKey({ key: jwk as Record<string, string>, format: 'jwk' });
  const attacker = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signByAttacker = signWith({ kid, privateKey: attacker.privateKey });
  const attackerJwk = { ...attacker.publicKey.export({ format: 'jwk' }), kid };

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
  const signed = (payload: object, more: Record<string, unknown> = {}): string =>
    issuer.sign(payload as Record<string, unknown>, more);
  const hmac = (secret: string | Buffer): string => {
    const text = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const [ownHeader = '', , ownSignature = ''] = signed(claims).split('.');

  return {
    'alg none': `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`,
    'alg None': `${encode({ ...header, alg: 'None' })}.${encode(claims)}.`,
    'no signature': `${encode(header)}.${encode(claims)}.`,
    'HS256 with the public key as PEM': hmac(publicKey.export({ type: 'spki', format: 'pem' })),
    'HS256 with the public key as DER': hmac(publicKey.export({ type: 'spki', format: 'der' })),
    'HS256 with the public key as JWK': hmac(JSON.stringify(jwk)),
    "an attacker's signature": signByAttacker(claims),
    'an embedded jwk': signByAttacker(claims, { jwk: attackerJwk }),
    'a jku': signByAttacker(claims, { jku: 'http://127.0.0.1:1/jwks.json' }),
    'an x5u': signByAttacker(claims, { x5u: 'http://127.0.0.1:1/cert.pem' }),
    'an unknown kid': signByAttacker(claims, { kid: randomUUID() }),
    'a kid that is a path': signByAttacker(claims, { kid: '../../../dev/null' }),
    'no kid': signed(claims, { kid: undefined }),
    'a changed payload': `${ownHeader}.${encode({ ...claims, sub: '1' })}.${ownSignature}`,
    'typ JWT': signed(claims, { typ: 'JWT' }),
    'typ of a step-up token': signed(claims, { typ: 'step-up+jwt' }),
    crit: signed(claims, { crit: ['b64'], b64: false }),
    'another iss': signed({ ...claims, iss: 'other' }),
    'another aud': signed({ ...claims, aud: 'comanda:step-up' }),
    'aud as array': signed({ ...claims, aud: [issuer.audience] }),
    'no exp': signed(without('exp')),
    expired: signed({ ...claims, iat: now - 1000, exp: now - 1 }),
    'iat in the future': signed({ ...claims, iat: now + 600 }),
    'nbf in the future': signed({ ...claims, nbf: now + 600 }),
    'no sub': signed(without('sub')),
    'sub as number': signed({ ...claims, sub: 5 }),
    'sub as object': signed({ ...claims, sub: { $gt: '' } }),
    'sub as array': signed({ ...claims, sub: ['5'] }),
    'amr as text': signed({ ...claims, amr: 'pwd' }),
    'amr with a number': signed({ ...claims, amr: ['pwd', 1] }),
    'role as array': signed({ ...claims, role: ['manager'] }),
    'role as object': signed({ ...claims, role: { manager: true } }),
    '8 KB': signed({ ...claims, name: 'A'.repeat(6000) }),
    'null for a header': `${encode(null)}.${encode(claims)}.${ownSignature}`,
    'not a token': 'not-a-token',
  };
}
