import { randomBytes } from 'node:crypto';
import { accessTokenMinutes, guestAccessTokenMinutes } from '@comanda/contracts/rules';
import type { Clock } from '@comanda/shared/runtime/clock';
import jwt from 'jsonwebtoken';
import type { KeyKeeper } from '../keys/key-keeper.ts';
import type { SessionHolder } from '../users/user.ts';
import type { Session } from './session.ts';

/** The client id that all of the restaurant's apps share. */
const clientId = 'comanda';
/**
 * The lifetime of an access token in seconds. It is shorter for sessions with a seat or on a tablet, because a token stays valid
 * after the seating is closed or the tablet is removed.
 */
const lifetimeS = accessTokenMinutes * 60;
const shortLifetimeS = guestAccessTokenMinutes * 60;

export type AccessTokens = {
  /**
   * Signs an access token with the user's current stored data [RFC 9068]. The token expires no later than the session.
   * @throws 503 `service_unavailable` until the keys are loaded
   */
  issue: (
    user: SessionHolder,
    session: Pick<Session, 'id' | 'authTime' | 'guest' | 'seat' | 'tablet' | 'endsAt'>,
  ) => { token: string; expiresInS: number };
};
type Options = { keys: Pick<KeyKeeper, 'signer'>; issuer: string; audience: string; clock: Clock };

export function createAccessTokens({ keys, issuer, audience, clock }: Options): AccessTokens {
  return {
    issue: (user, session) => {
      const { kid, privateKey } = keys.signer();
      const iat = Math.floor(clock() / 1000);
      const leftS = Math.max(1, Math.floor(session.endsAt / 1000) - iat);
      const expiresInS = Math.min(session.seat || session.tablet ? shortLifetimeS : lifetimeS, leftS);
      const claims = {
        iss: issuer,
        aud: audience,
        sub: String(user.id),
        client_id: clientId,
        role: user.role,
        name: user.name,
        // A token with a seat always has the claim `guest`: without it, services would treat the token as a guest's.
        ...(session.seat && { table: session.seat.table, seating: session.seat.seating, guest: session.guest }),
        ...(user.mustChangePassword && { must_change_password: true }),
        jti: `${session.id}.${randomBytes(12).toString('base64url')}`,
        auth_time: Math.floor(session.authTime / 1000),
        ...(!session.guest && { amr: [session.tablet ? 'pin' : 'pwd'] }), // The authentication method [RFC 8176].
        iat,
        exp: iat + expiresInS,
      };
      const token = jwt.sign(claims, privateKey, { algorithm: 'ES256', header: { alg: 'ES256', typ: 'at+jwt', kid } });
      return { token, expiresInS };
    },
  };
}
