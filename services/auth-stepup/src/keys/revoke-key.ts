import type { Clock } from '@comanda/shared/runtime/clock';
import { commandOrigin, operator } from '../security-log/audit-entry.ts';
import type { AuditedWork } from '../security-log/audited-work.ts';
import type { KeyStore } from './key-store.ts';
import { createSigningKey } from './signing-key.ts';

type RevokeKeyDeps = { store: KeyStore; unitOfWork: AuditedWork; clock: Clock };
/**
 * The result of a revocation. `unknown`: there is no such key. `busy`: another instance has just added a key. Keys were changed
 * only if the result is `revoked`; `signer` is then the key that signs now.
 */
type Revocation = { kind: 'unknown' } | { kind: 'busy' } | { kind: 'revoked'; signer: string };

/**
 * Deletes the key `kid`: instances stop publishing it, and each service rejects its tokens once that service has reloaded the key
 * set. A new key is added first and signs immediately, so there is always a signing key. Because the new key is newer, the
 * revoked key is treated as retired after 16 minutes, even if its document is restored.
 */
export async function revokeKey({ store, unitOfWork, clock }: RevokeKeyDeps, kid: string): Promise<Revocation> {
  const now = clock();
  if (!(await store.has(kid))) return { kind: 'unknown' };
  const signer = createSigningKey({ now, signsFrom: now, sequence: await store.getNextSequence() });
  if (!(await store.insert(signer))) return { kind: 'busy' };
  return unitOfWork.run(async (session) => {
    await store.delete([kid], session);
    const [type, origin] = ['signing_key_revoked' as const, commandOrigin('rotate-keys')];
    const entry = { type, time: now, actor: operator, userId: null, details: { kid }, origin };
    return { value: { kind: 'revoked' as const, signer: signer.kid }, records: [entry], events: [] };
  });
}
