import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PublicKeys } from './statement.ts';

type Jwk = Record<string, unknown>;

/** The P-256 keys of a key set [RFC 7517]. */
function readKeySet({ keys = [] }: { keys?: Jwk[] }): PublicKeys {
  const found = new Map<string, KeyObject>();
  for (const jwk of keys) {
    const { kty, crv, x, y, kid } = jwk as Record<string, string>;
    if (kty === 'EC' && crv === 'P-256' && kid)
      found.set(kid, createPublicKey({ key: { kty, crv, x: x ?? '', y: y ?? '' }, format: 'jwk' }));
  }
  return found;
}

/** The key set at an `http:` or `https:` address, or in a file. */
export async function loadKeySet(from: string): Promise<PublicKeys> {
  if (!/^https?:\/\//.test(from)) return readKeySet(JSON.parse(await readFile(from, 'utf8')) as { keys?: Jwk[] });
  const answer = await fetch(from, { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`${from} answered ${answer.status}`);
  return readKeySet((await answer.json()) as { keys?: Jwk[] });
}
