import { randomUUID, type KeyObject } from 'node:crypto';
import { unavailable } from '@comanda/contracts/problem';
import type { Clock } from '@comanda/shared/runtime/clock';
import { every } from '@comanda/shared/runtime/every';
import type { Logger } from '@comanda/shared/runtime/logger';
import { publishedAt, signerAt, type SigningKey } from './key-ring.ts';
import type { KeyStore } from './key-store.ts';
import { maintainKeys } from './maintain-keys.ts';

type PublishedKey = { kty: string; crv: string; x: string; y: string; kid: string; use: 'sig'; alg: 'ES256' };
export type KeyKeeper = {
  /** Maintains the keys in `store` and loads them. After the first call, this is repeated every 2 s. */
  refresh: (store: KeyStore) => Promise<void>;
  /** Returns the key that signs now. @throws 503 `service_unavailable` until the keys are loaded */
  signer: () => { kid: string; privateKey: KeyObject };
  /**
   * Returns the public key `kid`; undefined if the key is unknown, retired or revoked.
   * @throws 503 `service_unavailable` until the keys are loaded
   */
  verifier: (kid: string) => KeyObject | undefined;
  /** Returns the public keys as a JWKS [RFC 7517]. @throws 503 `service_unavailable` until the keys are loaded */
  keySet: () => { keys: PublishedKey[] };
  close: () => Promise<void>;
};
type Options = {
  /** How long a key is used for signing, in milliseconds. */
  everyMs: number;
  logger: Logger;
  clock: Clock;
};

/** How often an instance reloads the keys, in milliseconds. A revoked key may stay published for this long. */
const refreshMs = 2000;

const keysNotRead = () =>
  unavailable({ detail: "The signing keys aren't loaded yet. Repeat the request in a second." });

/** Creates this instance's copy of the keys. While MongoDB is down, the instance uses its last copy. */
export function createKeyKeeper({ everyMs, logger, clock }: Options): KeyKeeper {
  const instance = randomUUID();
  let keys: readonly SigningKey[] = [];
  let lastStore: KeyStore | null = null;

  const refresh = async (store: KeyStore): Promise<void> => {
    lastStore = store;
    keys = await maintainKeys({ store }, { now: clock(), everyMs, instance });
  };
  const refreshing = every({
    run: async () => {
      if (lastStore) await refresh(lastStore);
    },
    everyMs: refreshMs,
    firstAfterMs: refreshMs,
    logger,
    failure: 'could not read the keys; the last copy is used',
  });

  /** Returns the published keys. Throws if no keys were loaded yet. */
  function readKeys(): SigningKey[] {
    const published = publishedAt(keys, clock());
    if (published.length === 0) throw keysNotRead();
    return published;
  }
  return {
    refresh,
    signer: () => {
      const key = signerAt(keys, clock());
      if (!key) throw keysNotRead();
      return { kid: key.kid, privateKey: key.privateKey };
    },
    verifier: (kid) => readKeys().find((key) => key.kid === kid)?.publicKey,
    keySet: () => ({ keys: readKeys().map(toPublishedKey) }),
    close: refreshing.close,
  };
}

function toPublishedKey({ kid, publicKey }: SigningKey): PublishedKey {
  const { kty = '', crv = '', x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { kty, crv, x, y, kid, use: 'sig', alg: 'ES256' };
}
