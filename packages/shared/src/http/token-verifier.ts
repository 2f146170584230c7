import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { problem } from '@comanda/contracts/problems';
import type { Role } from '@comanda/contracts/endpoint';
import type { Logger } from '../runtime/logger.ts';
import { getJson } from './get-json.ts';

/** Who calls, as the access token says. Times are seconds since the epoch. */
export type Caller = {
  userId: number;
  role: Role;
  name: string;
  table?: string;
  seating?: number;
  jti: string;
  authTime: number;
  expiresAt: number;
  mustChangePassword: boolean;
  /** A guest: at a table, without a sign-in of their own. */
  guest: boolean;
};
export type TokenVerifier = {
  /** @throws 401 `invalid_token`; 503 `service_unavailable` when no key set was ever had */
  verify: (token: string) => Promise<Caller>;
  /** At once: who calls, if this very token was verified before and is still good; else null. */
  remembered: (token: string) => Caller | null;
  close: () => void;
};
type Jwk = { kid?: unknown; kty?: unknown; crv?: unknown; use?: unknown; alg?: unknown; purpose?: unknown };
type Options = {
  issuer: string;
  audience: string;
  logger: Logger;
  /** The clock, in milliseconds since the epoch. */
  now?: () => number;
} & (
  | { jwksUrl: string }
  /** For the issuer itself, which need not ask itself over HTTP. */
  | { readKeySet: () => Promise<{ keys?: Jwk[] }> }
);

const maxTokenBytes = 4096;
const maxCached = 10_000;
/** The set's own `max-age`. */
const refreshMs = 300_000;
/** At most one fetch for unknown keys in this time. */
const unknownKidMs = 10_000;
const skewS = 5;

const invalid = (detail: string) =>
  problem('invalid_token', { detail }, { 'WWW-Authenticate': 'Bearer error="invalid_token"' });

/**
 * Verifies access tokens [RFC 9068, RFC 8725] against a cached JWKS: ES256 only, `typ: at+jwt`, exact `iss` and `aud`,
 * `exp` and `iat` demanded, no `crit`, claims of the right types, at most 4 KB. An unknown `kid` fetches the set again,
 * at most every 10 s; the last set serves while its source is down. Verified tokens are remembered until their `exp`
 * or until the key is gone from the set.
 */
export function createTokenVerifier(options: Options): TokenVerifier {
  const now = options.now ?? Date.now;
  const keySet = createKeySet(options, now);
  const verified = new Map<string, { caller: Caller; kid: string }>();

  function remembered(token: string): Caller | null {
    const hit = verified.get(token);
    if (!hit) return null;
    if (keySet.has(hit.kid) && hit.caller.expiresAt * 1000 > now()) return hit.caller;
    verified.delete(token);
    return null;
  }
  async function verify(token: string): Promise<Caller> {
    if (token.length > maxTokenBytes) throw invalid('The token is too long.');
    const known = remembered(token);
    if (known) return known;
    const { kid, caller } = await verifyAnew(token);
    if (verified.size >= maxCached) verified.delete(verified.keys().next().value ?? '');
    verified.set(token, { caller, kid });
    return caller;
  }
  async function verifyAnew(token: string): Promise<{ kid: string; caller: Caller }> {
    const kid = checkHeader(token);
    const key = await keySet.key(kid);
    if (!key) throw invalid('The token is signed with an unknown key.');
    return { kid, caller: readClaims(token, { key, options, nowMs: now() }) };
  }
  return { verify, remembered, close: keySet.close };
}

function checkHeader(token: string): string {
  let header: Record<string, unknown>;
  try {
    header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Record<string, unknown>;
  } catch {
    throw invalid('This is not a token.');
  }
  if (typeof header !== 'object' || header === null) throw invalid('This is not a token.');
  const { alg, typ, kid } = header;
  if (alg !== 'ES256') throw invalid('The token is not signed with ES256.');
  if (typeof typ !== 'string' || typ.toLowerCase() !== 'at+jwt') throw invalid('This is not an access token.');
  if ('crit' in header) throw invalid('The token has a critical header that is not understood.');
  if (typeof kid !== 'string' || kid === '' || kid.length > 128) throw invalid('The token names no key.');
  return kid;
}

const roles: ReadonlySet<unknown> = new Set(['customer', 'waiter', 'manager']);
const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function readClaims(token: string, by: { key: KeyObject; options: Options; nowMs: number }): Caller {
  let claims: jwt.JwtPayload;
  try {
    claims = jwt.verify(token, by.key, {
      algorithms: ['ES256'],
      clockTimestamp: Math.floor(by.nowMs / 1000),
    }) as jwt.JwtPayload;
  } catch (error) {
    throw invalid(error instanceof jwt.TokenExpiredError ? 'The token has expired.' : 'The token is not valid.');
  }
  const {
    sub,
    role,
    name,
    table,
    seating,
    jti,
    auth_time: authTime,
    iat,
    exp,
    iss,
    aud,
  } = claims as Record<string, unknown>;
  const right =
    iss === by.options.issuer &&
    aud === by.options.audience &&
    isTime(exp) &&
    isTime(iat) &&
    iat * 1000 <= by.nowMs + skewS * 1000 &&
    isTime(authTime) &&
    isText(sub) &&
    /^[1-9]\d{0,15}$/.test(sub) &&
    Number.isSafeInteger(Number(sub)) &&
    roles.has(role) &&
    isText(name) &&
    isText(jti) &&
    (table === undefined || isText(table)) &&
    (seating === undefined || isTime(seating));
  if (!right) throw invalid('The token is not for this house, or its claims are not of the right form.');
  return {
    userId: Number(sub),
    role: role as Role,
    name,
    jti,
    authTime,
    expiresAt: exp,
    mustChangePassword: claims['must_change_password'] === true,
    guest: table !== undefined,
    ...(table !== undefined && { table }),
    ...(seating !== undefined && { seating }),
  };
}

function createKeySet(options: Options, now: () => number) {
  const { logger } = options;
  let keys: ReadonlyMap<string, KeyObject> | null = null;
  let tried = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | null = null;
  const stop = new AbortController();

  async function load(): Promise<void> {
    tried = now();
    try {
      const set = 'jwksUrl' in options ? await fetchKeySet(options.jwksUrl, stop.signal) : await options.readKeySet();
      const fetched = new Map((set.keys ?? []).flatMap(readKey));
      if (fetched.size === 0) throw new Error('the key set has no key of ours');
      keys = fetched;
    } catch (error) {
      if (!stop.signal.aborted) logger.warn({ err: error }, 'the key set could not be fetched; the last one serves');
    }
  }
  // With nothing to verify by, each second; for an unknown key, each 10 s.
  const mayFetch = (): boolean => now() - tried >= (keys ? unknownKidMs : 1000);
  const fetchOnce = (): Promise<void> => (fetching ??= load().finally(() => (fetching = null)));

  const refreshWhenDue = (): void => {
    if (keys && now() - tried >= refreshMs) void fetchOnce();
  };

  async function key(kid: string): Promise<KeyObject | undefined> {
    refreshWhenDue();
    const known = keys?.get(kid);
    if (known) return known;
    if (fetching || mayFetch()) await fetchOnce();
    if (!keys)
      throw problem('service_unavailable', { detail: 'No key to verify tokens with.' }, { 'Retry-After': '1' });
    return keys.get(kid);
  }
  // Also where every token is remembered, a key that was taken back must go.
  const has = (kid: string): boolean => {
    refreshWhenDue();
    return keys?.has(kid) ?? false;
  };
  return { key, has, close: (): void => stop.abort() };
}

async function fetchKeySet(url: string, stop: AbortSignal): Promise<{ keys?: Jwk[] }> {
  return (await getJson(url, AbortSignal.any([stop, AbortSignal.timeout(1500)]))) as { keys?: Jwk[] };
}

function readKey(jwk: Jwk): [string, KeyObject][] {
  if (jwk.kty !== 'EC' || jwk.crv !== 'P-256' || typeof jwk.kid !== 'string') return [];
  if (jwk.use !== undefined && jwk.use !== 'sig') return [];
  // Receipts are signed by another service: its keys vouch for nobody.
  if (jwk.purpose !== undefined && jwk.purpose !== 'tokens') return [];
  return [[jwk.kid, createPublicKey({ key: jwk as Record<string, string>, format: 'jwk' })]];
}
