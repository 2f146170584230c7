import { randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { problem } from '@comanda/contracts/problem';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import { publishedAt, signerAt } from './key-ring.ts';
import type { PublicJwk, SigningKey } from './key-ring.ts';
import type { KeyStore } from './key-store.ts';
import { maintainKeys } from './maintain-keys.ts';

type PublishedKey = PublicJwk & { kid: string; use: 'sig'; alg: 'ES256' };
export type KeyKeeper = {
  /** Maintains the keys in `store` and reads them. After the first call, the keeper repeats it every 30 s by itself. */
  refresh: (store: KeyStore) => Promise<void>;
  /** The key that signs now. @throws 503 `service_unavailable` until the keys were read */
  signer: () => { kid: string; privateKey: KeyObject };
  /** The public key `kid`; undefined if there is none, or it is retired. */
  verifier: (kid: string) => KeyObject | undefined;
  /** The public keys [RFC 7517]. @throws 503 `service_unavailable` until the keys were read */
  keySet: () => { keys: PublishedKey[] };
  close: () => void;
};
type Options = {
  /** How long a key signs. */
  everyMs: number;
  logger: Logger;
  clock: Clock;
};

/** Much shorter than the ten minutes between the publication of a key and its first signature. */
const refreshMs = 30_000;

const keysNotRead = () =>
  problem(
    'service_unavailable',
    { detail: 'The signing keys have not been read yet. Repeat the request in a second.' },
    { 'Retry-After': '1' },
  );

/** This instance's copy of the keys. While MongoDB does not answer, the last copy is used. */
export function createKeyKeeper({ everyMs, logger, clock }: Options): KeyKeeper {
  const instance = randomUUID();
  let keys: readonly SigningKey[] = [];
  let lastStore: KeyStore | null = null;
  const refresh = async (store: KeyStore): Promise<void> => {
    lastStore = store;
    keys = await maintainKeys({ store }, { now: clock(), everyMs, instance });
  };
  const timer = setInterval(() => {
    if (!lastStore) return;
    refresh(lastStore).catch((error: unknown) =>
      logger.warn({ err: error }, 'could not read the keys; the last copy is used'),
    );
  }, refreshMs);

  return {
    refresh,
    signer: () => {
      const key = signerAt(keys, clock());
      if (!key?.privateKey) throw keysNotRead();
      return { kid: key.kid, privateKey: key.privateKey };
    },
    verifier: (kid) => publishedAt(keys, clock()).find((key) => key.kid === kid)?.publicKey,
    keySet: () => {
      const published = publishedAt(keys, clock());
      if (published.length === 0) throw keysNotRead();
      return { keys: published.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, use: 'sig', alg: 'ES256' })) };
    },
    close: () => clearInterval(timer),
  };
}
