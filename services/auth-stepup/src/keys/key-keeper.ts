import { randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { problem } from '@comanda/contracts/problems';
import type { Logger } from '@comanda/shared/runtime/logger';
import { publishedAt, signerAt } from './key-ring.ts';
import type { PublicJwk, SigningKey } from './key-ring.ts';
import type { KeyStore } from './key-store.ts';
import { maintainKeys } from './rotate-keys.ts';

type PublishedKey = PublicJwk & { kid: string; use: 'sig'; alg: 'ES256' };
export type KeyKeeper = {
  /** Reads the keys and does what is due; to be run before the service is ready, and then by itself every 30 s. */
  refresh: () => Promise<void>;
  /** @throws 503 while no key was ever read */
  signer: () => { kid: string; privateKey: KeyObject };
  /** The key that verifies what `kid` has signed, until it is retired. */
  verifier: (kid: string) => KeyObject | undefined;
  /** The public keys [RFC 7517]. @throws 503 while no key was ever read */
  keySet: () => { keys: PublishedKey[] };
  close: () => void;
};
type Options = {
  store: KeyStore;
  everyMs: number;
  logger: Logger;
  /** Milliseconds since the epoch. */
  clock: () => number;
};

/** Keys are read again this often: far less than the ten minutes between a key's publication and its first use. */
const refreshMs = 30_000;

/** This instance's view of the keys; the last one serves while MongoDB is away. */
export function createKeyKeeper({ store, everyMs, logger, clock }: Options): KeyKeeper {
  const instance = randomUUID();
  let keys: readonly SigningKey[] = [];
  const refresh = async (): Promise<void> => {
    keys = await maintainKeys(store, { now: clock(), everyMs, instance });
  };
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => logger.warn({ err: error }, 'the keys could not be read; the last ones serve'));
  }, refreshMs);
  const none = () =>
    problem('service_unavailable', { detail: 'The keys have not been read yet.' }, { 'Retry-After': '1' });

  return {
    refresh,
    signer: () => {
      const key = signerAt(keys, clock());
      if (!key?.privateKey) throw none();
      return { kid: key.kid, privateKey: key.privateKey };
    },
    verifier: (kid) => publishedAt(keys, clock()).find((key) => key.kid === kid)?.publicKey,
    keySet: () => {
      const published = publishedAt(keys, clock());
      if (published.length === 0) throw none();
      return { keys: published.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, use: 'sig', alg: 'ES256' })) };
    },
    close: () => clearInterval(timer),
  };
}
