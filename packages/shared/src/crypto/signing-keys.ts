import { type Problem, unavailable } from '@comanda/contracts/problem';
import type { KeyPurpose } from './key-purpose.ts';
import type { PublicKeys, Signer } from './statement.ts';

/** A public key as published in a JWKS [RFC 7517]. */
export type PublishedKey = { kid: string; use: 'sig'; alg: 'ES256'; purpose: KeyPurpose };
/** The newest signing key and all public keys. Older public keys still verify earlier signatures. */
export type SigningKeys = { signer: Signer; publicKeys: PublishedKey[]; trusted: PublicKeys };
export type LoadedSigningKeys = ReturnType<typeof createSigningKeys>;

/** Creates an object that contains this instance's signing keys. The keys are set once, before the service is ready. */
export function createSigningKeys() {
  let keys: SigningKeys | null = null;
  const read = (): SigningKeys => {
    if (!keys) throw notLoaded();
    return keys;
  };
  return {
    set: (loaded: SigningKeys): void => {
      keys = loaded;
    },
    /**
     * Returns the newest signing key.
     * @throws 503 `service_unavailable` before the keys are set
     */
    signer: (): Signer => read().signer,
    /**
     * Returns the public keys to publish.
     * @throws 503 `service_unavailable` before the keys are set
     */
    publicKeys: (): PublishedKey[] => read().publicKeys,
    /**
     * Returns the public keys to verify signatures with.
     * @throws 503 `service_unavailable` before the keys are set
     */
    trusted: (): PublicKeys => read().trusted,
  };
}

const notLoaded = (): Problem =>
  unavailable({ detail: "The signing keys aren't loaded yet. Repeat the request in a second." });
