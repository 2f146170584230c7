import { generateKeyPairSync, randomUUID, sign as signBytes, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Signer } from '@comanda/shared/crypto/statement';
import type { ServiceIdentity } from '@comanda/shared/http/service-signature';
import { endSigned } from './signed-response.ts';
import { testService } from './test-secrets.ts';

export type TestClaims = {
  /** The user's id. */
  sub: number;
  role: 'customer' | 'waiter' | 'manager';
  name?: string;
  table?: string;
  seating?: number;
  /** Set this to false for a user with an account who sits at a table. All other users at a table are guests. */
  guest?: false;
  mustChangePassword?: true;
  /** How the user signed in: by default with a password, or not at all for a guest. */
  amr?: readonly string[];
  /**
   * How long the token is valid, in seconds from now. The default is 900. With a negative number, the token has already expired.
   */
  lifetimeS?: number;
};

export type TestIssuer = {
  url: string;
  jwksUrl: string;
  issuer: string;
  audience: string;
  /** The service on whose behalf tests in this process fetch the JWKS. */
  service: ServiceIdentity;
  /** Creates an access token according to RFC 9068, with these claims, signed with ES256. */
  token: (claims: TestClaims) => string;
  /** The key that signs transfer receipts. Its public key is in the JWKS too. */
  receiptSigner: Signer;
  /** Signs any payload, even for tokens that must be rejected. `header` overrides fields of the valid header. */
  sign: (payload: Record<string, unknown>, header?: Record<string, unknown>) => string;
  close: () => Promise<void>;
};

/** Returns a function that signs any payload with ES256. Its parameter `header` overrides fields of the valid header. */
export const signWith =
  ({ kid, privateKey }: { kid: string; privateKey: KeyObject }): TestIssuer['sign'] =>
  (payload, header = {}) => {
    const parts = [{ alg: 'ES256', typ: 'at+jwt', kid, ...header }, payload];
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const signature = signBytes('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  };

/** Starts an issuer of access tokens that has its own key. It serves the JWKS over HTTP, like auth-stepup. */
export async function startTestIssuer(): Promise<TestIssuer> {
  const issuer = 'comanda';
  const audience = 'comanda';
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  const receipts = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const receiptSigner = { kid: randomUUID(), privateKey: receipts.privateKey };
  const ofKey = { use: 'sig', alg: 'ES256' };
  const keys = [
    { ...publicKey.export({ format: 'jwk' }), kid, ...ofKey },
    { ...receipts.publicKey.export({ format: 'jwk' }), kid: receiptSigner.kid, ...ofKey, purpose: 'receipts' },
  ];
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/jwk-set+json').setHeader('cache-control', 'public, max-age=300');
    endSigned(request, response, JSON.stringify({ keys }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sign = signWith({ kid, privateKey });
  return {
    url,
    jwksUrl: `${url}/.well-known/jwks.json`,
    issuer,
    audience,
    service: testService('orders'),
    receiptSigner,
    sign,
    token: ({ sub, role, name = 'Ana', lifetimeS = 900, mustChangePassword, amr, ...seat }) => {
      const now = Math.floor(Date.now() / 1000);
      const iat = Math.min(now, now + lifetimeS - 1);
      return sign({
        iss: issuer,
        aud: audience,
        sub: String(sub),
        role,
        name,
        ...seat,
        ...(mustChangePassword && { must_change_password: true }),
        jti: randomUUID(),
        auth_time: iat,
        amr: amr ?? (seat.table !== undefined && seat.guest !== false ? [] : ['pwd']),
        iat,
        exp: now + lifetimeS,
      });
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
