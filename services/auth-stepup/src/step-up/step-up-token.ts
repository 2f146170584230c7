import type { KeyObject } from 'node:crypto';
import { problem } from '@comanda/contracts/problem';
import { stepUpTokenSeconds } from '@comanda/contracts/rules';
import type { AuthorizationDetails } from '@comanda/contracts/step-up';
import type { Clock } from '@comanda/shared/runtime/clock';
import jwt from 'jsonwebtoken';
import type { KeyKeeper } from '../keys/key-keeper.ts';

/**
 * The content of a step-up token: the user, the one endpoint that the user authorized a request for [RFC 9068], and the details
 * [RFC 9396]. If the details are null, the token covers any request to that endpoint.
 */
type StepUpClaims = {
  jti: string;
  userId: number;
  endpointKey: string;
  details: AuthorizationDetails | null;
};
export type StepUpTokens = {
  issue: (claims: StepUpClaims) => string;
  /** Verifies a step-up token and returns its claims. @throws 401 `step_up_invalid`, `step_up_expired` */
  read: (token: string) => StepUpClaims;
};

export const stepUpLifetimeS = stepUpTokenSeconds;
const audience = 'comanda:step-up';
const skewS = 5;
type Options = { keys: Pick<KeyKeeper, 'signer' | 'verifier'>; issuer: string; clock: Clock };

const invalid = () => problem('step_up_invalid');
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

export function createStepUpTokens({ keys, issuer, clock }: Options): StepUpTokens {
  return {
    issue: ({ jti, userId, endpointKey, details }) => {
      const { kid, privateKey } = keys.signer();
      const iat = Math.floor(clock() / 1000);
      const claims = {
        iss: issuer,
        aud: audience,
        sub: String(userId),
        jti,
        endpoint_key: endpointKey,
        ...(details && { authorization_details: details }),
        iat,
        exp: iat + stepUpLifetimeS,
      };
      const header = { alg: 'ES256', typ: 'step-up+jwt', kid };
      return jwt.sign(claims, privateKey, { algorithm: 'ES256', header });
    },
    read: (token) => {
      const key = findKey(token, keys);
      const nowS = Math.floor(clock() / 1000);
      const claims = verify(token, key, nowS);
      const { iss, aud, sub, jti, endpoint_key: endpointKey, iat, exp } = claims;
      const details = (claims['authorization_details'] ?? null) as AuthorizationDetails | null;
      const isValid =
        iss === issuer &&
        aud === audience &&
        isText(sub) &&
        /^[1-9]\d{0,15}$/.test(sub) &&
        isText(jti) &&
        isText(endpointKey) &&
        isTime(iat) &&
        isTime(exp) &&
        iat <= nowS + skewS &&
        exp - iat <= stepUpLifetimeS &&
        (details === null || Array.isArray(details));
      if (!isValid) throw invalid();
      return { jti, userId: Number(sub), endpointKey, details };
    },
  };
}

function findKey(token: string, keys: Pick<KeyKeeper, 'verifier'>): KeyObject {
  if (token.length > 4096) throw invalid();
  const { alg, typ, kid, ...header } = readHeader(token);
  // No extensions are supported, so a token with critical headers is invalid [RFC 7515].
  if (alg !== 'ES256' || typ !== 'step-up+jwt' || !isText(kid) || 'crit' in header) throw invalid();
  const key = keys.verifier(kid);
  if (!key) throw invalid();
  return key;
}

/** Parses only the header. `jwt.decode` would parse the claims too, although `jwt.verify` parses them later anyway. */
function readHeader(token: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString()) as object | null) };
  } catch {
    throw invalid(); // the header is not JSON
  }
}

function verify(token: string, key: KeyObject, nowS: number): Record<string, unknown> {
  try {
    return jwt.verify(token, key, { algorithms: ['ES256'], clockTimestamp: nowS }) as Record<string, unknown>;
  } catch (error) {
    // Covers all other errors too: for a signature with the wrong length, jsonwebtoken throws a TypeError.
    throw error instanceof jwt.TokenExpiredError ? problem('step_up_expired') : invalid();
  }
}
