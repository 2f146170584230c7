import { createPublicKey, type KeyObject } from 'node:crypto';
import { unavailable } from '@comanda/contracts/problem';
import { keyPurpose, type KeyPurpose } from '../crypto/key-purpose.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { createServiceConnection } from './service-connection.ts';
import type { ServiceIdentity } from './service-signature.ts';

export type KeySet = {
  /**
   * Returns the public key for `kid`; undefined if the key set has none.
   * @throws 503 `service_unavailable` if no key set was ever fetched
   */
  key: (kid: string) => Promise<KeyObject | undefined>;
  /** Returns true if the key set has this key and can be used without fetching it again first. */
  has: (kid: string) => boolean;
  /** Returns true once a key set has been fetched. Until then, each call starts a fetch, at most once a second. */
  isRead: () => boolean;
  close: () => void;
};
type KeySource = { jwksUrl: string; service: ServiceIdentity; purpose: KeyPurpose; logger: Logger; clock?: Clock };
type Jwk = {
  kid?: unknown;
  kty?: unknown;
  crv?: unknown;
  use?: unknown;
  key_ops?: unknown;
  alg?: unknown;
  purpose?: unknown;
};

const timeoutMs = 1500;
/**
 * How long a fetched key set is used, in milliseconds. This is its `max-age`. A key that was removed at the source verifies
 * nothing after this time.
 */
const maxAgeMs = 300_000;
/** The age, in milliseconds, at which the key set is fetched again in the background, so that no request has to wait for it. */
const refreshMs = 240_000;
/** The shortest time between two fetches for unknown keys, and between a failed fetch and the next one, in milliseconds. */
const retryMs = 10_000;

/**
 * Creates a cache of the public keys for one purpose in the shared key set. The cached key set is at most 5 minutes old, even
 * after an idle time. If its source is down, the last key set stays in use. An unknown `kid` starts another fetch, at most every
 * 10 s.
 */
export function createKeySet({ jwksUrl, service, purpose, logger, clock = Date.now }: KeySource): KeySet {
  let keys: ReadonlyMap<string, KeyObject> | null = null;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let hasFailed = false;
  let fetching: Promise<void> | null = null;
  let isClosed = false;
  const { origin, pathname, search } = new URL(jwksUrl);
  const connection = createServiceConnection(origin, service);

  async function load(): Promise<void> {
    const startedAt = clock();
    try {
      const deadline = performance.now() + timeoutMs;
      const { status, body } = await connection.send({ method: 'GET', target: pathname + search, deadline });
      if (status !== 200) throw new Error(`${jwksUrl} responded with ${status}`);
      const fetched = new Map(((body['keys'] ?? []) as Jwk[]).flatMap((jwk) => readKey(jwk, purpose)));
      if (fetched.size === 0) throw new Error(`the key set has no key that can verify ${purpose}`);
      keys = fetched;
      hasFailed = false;
    } catch (error) {
      if (!isClosed && !hasFailed)
        logger.warn({ err: error }, 'the key set could not be fetched; the last one stays in use');
      hasFailed = true;
    } finally {
      fetchedAt = startedAt;
    }
  }
  const fetchOnce = (): Promise<void> => (fetching ??= load().finally(() => (fetching = null)));
  /** The age of the key set in milliseconds. If the clock was set back, the age is unknown, and the key set counts as too old. */
  const ageMs = (): number => (clock() < fetchedAt ? Infinity : clock() - fetchedAt);
  // While there is no key set, a fetch may start every second. Otherwise, an unknown key may start a fetch every 10 s.
  const mayFetch = (): boolean => ageMs() >= (keys ? retryMs : 1000);
  /** If it is time for a fetch, starts one in the background. Returns true if the current key set may be used in the meantime. */
  function isUsable(): boolean {
    if (keys && ageMs() >= maxAgeMs) return false;
    if (keys && ageMs() >= (hasFailed ? retryMs : refreshMs)) void fetchOnce();
    return true;
  }

  async function key(kid: string): Promise<KeyObject | undefined> {
    if (!isUsable()) await fetchOnce();
    const current = keys?.get(kid);
    if (current) return current;
    if (fetching || mayFetch()) await fetchOnce();
    if (!keys)
      throw unavailable({
        detail: `The keys that verify ${purpose} can't be loaded right now. Repeat the request in a second.`,
      });
    return keys.get(kid);
  }
  // `isUsable` may start a fetch, so a removed key is noticed even if all tokens are cached.
  const has = (kid: string): boolean => isUsable() && (keys?.has(kid) ?? false);
  let askedAt = Number.NEGATIVE_INFINITY;
  function isRead(): boolean {
    // Uses `performance.now()`, because a test's `clock` may stand still.
    if (!keys && !fetching && performance.now() - askedAt >= 1000) {
      askedAt = performance.now();
      void fetchOnce();
    }
    return keys !== null;
  }
  function close(): void {
    isClosed = true;
    connection.close();
  }
  return { key, has, isRead, close };
}

export function readKey(jwk: Jwk, purpose: KeyPurpose): [string, KeyObject][] {
  if (jwk.kty !== 'EC' || jwk.crv !== 'P-256' || typeof jwk.kid !== 'string') return [];
  if (jwk.use !== undefined && jwk.use !== 'sig') return [];
  const { key_ops: uses = ['verify'] } = jwk;
  if (!Array.isArray(uses) || !uses.includes('verify')) return [];
  // A key verifies only data for its own purpose: a receipt key verifies no access token.
  if (keyPurpose(jwk) !== purpose) return [];
  return [[jwk.kid, createPublicKey({ key: jwk as Record<string, string>, format: 'jwk' })]];
}
