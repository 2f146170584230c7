import type { Clock } from '@comanda/shared/runtime/clock';
import { publishedBeforeMs, type SigningKey } from './key-ring.ts';
import type { KeyStore } from './key-store.ts';
import { createSigningKey } from './signing-key.ts';

/** Adds the next key now; it starts to sign ten minutes later. Returns null if a next key is already published. */
export async function rotateKeys({ store, clock }: { store: KeyStore; clock: Clock }): Promise<SigningKey | null> {
  const now = clock();
  const sequence = await store.getNextSequence();
  const keys = await store.findAll();
  if (keys.some(({ signsFrom }) => signsFrom > now)) return null;
  const signsFrom = keys.length === 0 ? now : now + publishedBeforeMs;
  const key = createSigningKey({ now, signsFrom, sequence });
  return (await store.insert(key)) ? key : null;
}
