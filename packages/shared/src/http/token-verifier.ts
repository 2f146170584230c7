import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { problem } from '@comanda/contracts/problem';
import { roles, type Role } from '@comanda/contracts/endpoint';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Dependency } from '../runtime/dependency.ts';
import { createKeySet, type KeySet } from './key-set.ts';
import type { ServiceIdentity } from './service-signature.ts';

/** The user that an access token identifies. Times are seconds since the epoch. */
export type Caller = {
  userId: number;
  role: Role;
  name: string;
  /** The table and the seating, for a guest or for a customer with an account who has scanned a table's code. */
  table?: string;
  seating?: number;
  jti: string;
  authTime: number;
  /** How the user signed in [RFC 8176]: `pwd`, or `pin` for a tablet PIN; empty for a guest. */
  amr: readonly string[];
  expiresAt: number;
  mustChangePassword: boolean;
  /** True if the user has no account and only scanned a table's code. */
  guest: boolean;
};
export type TokenVerifier = {
  /**
   * Verifies an access token and returns its caller.
   * @throws 401 `invalid_token`; 403 `forbidden` for a role from a newer release; 503 `service_unavailable` if no key set was
   * ever fetched
   */
  verify: (token: string) => Promise<Caller>;
  /** Returns the caller, without waiting, if this token was verified before and is still valid. Otherwise null. */
  findCached: (token: string) => Caller | null;
  /** Returns true if this token was valid, but its key is missing from the last key set that could be fetched. */
  isKeyRemoved: (token: string) => Promise<boolean>;
  /**
   * A dependency for `/readyz`, which is up once a key set has been fetched. Until then, each check starts a fetch, at most once
   * a second.
   */
  dependency: Dependency;
  close: () => void;
};
type Options = {
  issuer: string;
  audience: string;
  logger: Logger;
  clock?: Clock;
} &
  /**
   * The URL of the key set and this service's identity. A response from a server that doesn't know this service's secret is
   * rejected.
   */
  (
    | { jwksUrl: string; service: ServiceIdentity }
    /** For the service that issues tokens: finds its own keys. @throws 503 `service_unavailable` before the keys were read */
    | { findKey: (kid: string) => KeyObject | undefined }
  );

const maxTokenBytes = 4096;
const maxCached = 10_000;
const skewS = 5;

const invalid = (detail: string) => problem('invalid_token', { detail });

/**
 * Creates a verifier for access tokens [RFC 9068, RFC 8725], with a cached key set. A token must be signed with ES256 and have at
 * most 4 KB, `typ: at+jwt`, the exact `iss` and `aud`, `exp` and `iat`, no `crit`, and claims of the right types. The key set is
 * at most 5 minutes old, even after an idle time. If its source is down, the last key set stays in use. For an unknown `kid`, it
 * is fetched again, at most every 10 s. Verified tokens are cached until they expire or their key is removed from the key set.
 */
export function createTokenVerifier(options: Options): TokenVerifier {
  const { clock = Date.now } = options;
  const keySet =
    'findKey' in options ? ownKeys(options.findKey) : createKeySet({ ...options, purpose: 'tokens', clock });
  const verified = new Map<string, { caller: Caller; kid: string }>();

  function findCached(token: string): Caller | null {
    const hit = verified.get(token);
    if (!hit) return null;
    if (keySet.has(hit.kid) && hit.caller.expiresAt * 1000 > clock()) return hit.caller;
    verified.delete(token);
    return null;
  }
  async function verify(token: string): Promise<Caller> {
    if (token.length > maxTokenBytes) throw invalid('The token is too long.');
    const cached = findCached(token);
    if (cached) return cached;
    const { kid, caller } = await verifyUncached(token);
    if (verified.size >= maxCached) verified.delete(verified.keys().next().value ?? '');
    verified.set(token, { caller, kid });
    return caller;
  }
  async function verifyUncached(token: string): Promise<{ kid: string; caller: Caller }> {
    const kid = checkHeader(token);
    const key = await keySet.key(kid);
    if (!key) throw invalid('The token is signed with an unknown key.');
    return { kid, caller: readClaims(token, { key, options, nowMs: clock() }) };
  }
  const isKeyRemoved = async (token: string): Promise<boolean> => !(await keySet.key(checkHeader(token)));
  const dependency: Dependency = { name: 'token keys', need: 'hard', isUp: keySet.isRead };
  return { verify, findCached, isKeyRemoved, dependency, close: keySet.close };
}

function checkHeader(token: string): string {
  let header: Record<string, unknown>;
  try {
    header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Record<string, unknown>;
  } catch {
    throw invalid('The token is not a JWT.');
  }
  if (typeof header !== 'object' || header === null) throw invalid('The token is not a JWT.');
  const { alg, typ, kid } = header;
  if (alg !== 'ES256') throw invalid('The token must be signed with ES256.');
  if (typeof typ !== 'string' || typ.toLowerCase() !== 'at+jwt') throw invalid('The token is not an access token.');
  if ('crit' in header) throw invalid('The token has an unsupported critical header.');
  if (typeof kid !== 'string' || kid === '' || kid.length > 128) throw invalid('The token has no valid key id.');
  return kid;
}

const isRole = (value: unknown): value is Role => roles.some((role) => role === value);
const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/**
 * Returns the claims in a token that `key` signed with ES256. @throws jsonwebtoken's error if `key` did not sign the token, or
 * the token has expired
 */
export const readSigned = (token: string, key: KeyObject, nowMs: number): jwt.JwtPayload =>
  jwt.verify(token, key, { algorithms: ['ES256'], clockTimestamp: Math.floor(nowMs / 1000) }) as jwt.JwtPayload;

function readClaims(token: string, by: { key: KeyObject; options: Options; nowMs: number }): Caller {
  let claims: jwt.JwtPayload;
  try {
    claims = readSigned(token, by.key, by.nowMs);
  } catch (error) {
    throw invalid(error instanceof jwt.TokenExpiredError ? 'The token has expired.' : 'The token is not valid.');
  }
  const {
    sub,
    role,
    name,
    table,
    seating,
    guest,
    jti,
    auth_time: authTime,
    amr = [],
    iat,
    exp,
    iss,
    aud,
  } = claims as Record<string, unknown>;
  const isValid =
    iss === by.options.issuer &&
    aud === by.options.audience &&
    isTime(exp) &&
    isTime(iat) &&
    iat * 1000 <= by.nowMs + skewS * 1000 &&
    isTime(authTime) &&
    isTextList(amr) &&
    isText(sub) &&
    /^[1-9]\d{0,15}$/.test(sub) &&
    Number.isSafeInteger(Number(sub)) &&
    isText(role) &&
    isText(name) &&
    isText(jti) &&
    (table === undefined || isText(table)) &&
    (seating === undefined || isTime(seating)) &&
    (guest === undefined || typeof guest === 'boolean');
  if (!isValid) throw invalid('The token was issued for another service, or its claims are invalid.');
  if (!isRole(role)) throw problem('forbidden', { detail: "This service doesn't know the token's role." });
  return {
    userId: Number(sub),
    role,
    name,
    jti,
    authTime,
    amr,
    expiresAt: exp,
    mustChangePassword: claims['must_change_password'] === true,
    // In the last release, only guests could sit at a table, and tokens had no `guest` claim.
    guest: guest ?? table !== undefined,
    ...(table !== undefined && { table }),
    ...(seating !== undefined && { seating }),
  };
}

const ownKeys = (findKey: (kid: string) => KeyObject | undefined): KeySet => ({
  key: async (kid) => findKey(kid),
  has: (kid) => findKey(kid) !== undefined,
  isRead: () => true, // nothing to fetch: the keys are in this service's own database, which is a separate dependency
  close: () => undefined,
});
