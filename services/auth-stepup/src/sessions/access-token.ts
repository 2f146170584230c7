import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { KeyKeeper } from '../keys/key-keeper.ts';
import type { User } from '../people/user.ts';
import type { Session } from './session.ts';

/** Seconds that an access token lives; a guest's dies soon after the seating has ended. */
const lifetimeS = 900;
const guestLifetimeS = 300;

export type AccessTokens = {
  /** Signs who the user is now [RFC 9068]. @throws 503 while there is no key */
  issue: (user: User, session: Pick<Session, 'id' | 'authTime' | 'seat'>) => { token: string; expiresInS: number };
};
type Options = { keys: Pick<KeyKeeper, 'signer'>; issuer: string; audience: string; clock: () => number };

export function createAccessTokens({ keys, issuer, audience, clock }: Options): AccessTokens {
  return {
    issue: (user, session) => {
      const { kid, privateKey } = keys.signer();
      const iat = Math.floor(clock() / 1000);
      const expiresInS = session.seat ? guestLifetimeS : lifetimeS;
      const claims = {
        iss: issuer,
        aud: audience,
        sub: String(user.id),
        role: user.role,
        name: user.name,
        ...(session.seat && { table: session.seat.table, seating: session.seat.seating }),
        ...(user.mustChangePassword && { must_change_password: true }),
        jti: `${session.id}.${randomBytes(12).toString('base64url')}`,
        auth_time: Math.floor(session.authTime / 1000),
        iat,
        exp: iat + expiresInS,
      };
      const token = jwt.sign(claims, privateKey, { algorithm: 'ES256', header: { alg: 'ES256', typ: 'at+jwt', kid } });
      return { token, expiresInS };
    },
  };
}

/** The session that an access token belongs to, by its `jti`. */
export const sessionIdOf = (jti: string): string => jti.split('.')[0] ?? '';
