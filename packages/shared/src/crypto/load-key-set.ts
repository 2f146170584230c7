import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { keyPurpose, type KeyPurpose } from './key-purpose.ts';
import type { PublicKeys } from './statement.ts';

type Jwk = Record<string, unknown>;

/** Public keys by their use. A receipt can't be verified with a key for authorizations, nor with a key for access tokens. */
export type KeySet = { receipts: PublicKeys; consents: PublicKeys };

/** Loads the P-256 keys in a key set [RFC 7517] from an `http:` or `https:` URL or from a file. */
export async function loadKeySet(source: string): Promise<KeySet> {
  const text = /^https?:\/\//.test(source) ? await download(source) : await readFile(source, 'utf8');
  const { keys = [] } = JSON.parse(text) as { keys?: Jwk[] };
  return { receipts: readKeys(keys, 'receipts'), consents: readKeys(keys, 'consents') };
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch((error: Error) => {
    const { code } = (error.cause as NodeJS.ErrnoException | undefined) ?? {};
    const advice = 'With --jwks, name another URL, or a file with the keys.';
    throw new Error(`${url} does not answer (${code ?? error.message}). ${advice}`, { cause: error });
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.text();
}

function readKeys(keys: readonly Jwk[], purpose: KeyPurpose): PublicKeys {
  const found = new Map<string, KeyObject>();
  for (const jwk of keys) {
    const { kty, crv, x, y, kid } = jwk as Record<string, string>;
    if (keyPurpose(jwk) === purpose && kty === 'EC' && crv === 'P-256' && kid)
      found.set(kid, createPublicKey({ key: { kty, crv, x: x ?? '', y: y ?? '' }, format: 'jwk' }));
  }
  return found;
}
