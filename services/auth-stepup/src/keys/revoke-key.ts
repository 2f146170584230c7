import type { Clock } from '@comanda/shared/runtime/clock';
import { commandOrigin, operator } from '../security-log/audit-entry.ts';
import type { WriteAudited } from '../security-log/write-audited.ts';
import type { KeyStore } from './key-store.ts';
import { createSigningKey } from './signing-key.ts';

type RevokeKeyDeps = { store: KeyStore; writeAudited: WriteAudited; clock: Clock };
/** `busy`: another instance has just added a key. If it is not `revoked`, then nothing was changed. */
type Revocation = { kind: 'unknown' } | { kind: 'busy' } | { kind: 'revoked'; signer: string };

/**
 * Deletes the key `kid`: no instance publishes it any more, and every service refuses its tokens when it has read the key
 * set again. A new key signs at once. It is added first, so that there is always one; and it is newer, so that the revoked
 * key is retired 16 minutes later even if somebody puts its document back.
 */
export async function revokeKey({ store, writeAudited, clock }: RevokeKeyDeps, kid: string): Promise<Revocation> {
  const now = clock();
  if (!(await store.has(kid))) return { kind: 'unknown' };
  const signer = createSigningKey({ now, signsFrom: now, sequence: await store.getNextSequence() });
  if (!(await store.insert(signer))) return { kind: 'busy' };
  return writeAudited(async (session) => {
    await store.delete([kid], session);
    const [type, origin] = ['signing_key_revoked' as const, commandOrigin('rotate-keys')];
    const entry = { type, time: now, actor: operator, userId: null, details: { kid }, origin };
    return { value: { kind: 'revoked' as const, signer: signer.kid }, entries: [entry] };
  });
}
