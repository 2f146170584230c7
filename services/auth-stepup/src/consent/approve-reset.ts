import { problem } from '@comanda/contracts/problems';
import { requestFingerprint } from '@comanda/shared/http/request-fingerprint';
import { stepUpProblem } from '@comanda/shared/http/step-up';
import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import type { Note, Origin } from '../security-log/security-log.ts';
import type { ApprovalStore } from './approval-store.ts';
import { absent } from './pin-problems.ts';
import type { PinStore } from './pin-store.ts';

export type ApprovalDesk = {
  approvals: ApprovalStore;
  pins: PinStore;
  note: Note;
  /** Milliseconds since the epoch. */
  clock: () => number;
};

/** How long an approval is good. */
export const approvalMs = 15 * 60_000;

/**
 * A manager lets another user set a new PIN; nobody approves for themselves, or sees or sets the PIN.
 * @throws 404 `not_found`; 403 `forbidden`; 409 `transaction_password_absent`; the `step_up_…` problems; 422
 * `idempotency_key_reused`
 */
export async function approveReset(
  { consume, ...desk }: ApprovalDesk & { consume: Consume },
  call: SensitiveCall & { params: { id: number } },
  origin: Origin,
): Promise<{ expiresAt: number } & ({ consent: Consent } | { replayed: true })> {
  const { approvals, clock } = desk;
  const managerId = call.caller.userId;
  const userId = call.params.id;
  const key = call.idempotencyKey ?? null;
  const hash = key === null ? null : requestFingerprint({ userId: managerId, ...call.route, key, body: call.body });
  const before = await approvedBefore(approvals, { managerId, key, hash });
  if (before) return before;
  if (userId === managerId) throw problem('forbidden', { detail: 'Nobody approves a reset for themselves.' });
  const holder = await desk.pins.byUser(userId);
  if (!holder) throw problem('not_found');
  if (!holder.pin) throw absent();

  const consent = await consume(call);
  const { jti } = consent;
  const now = clock();
  const expiresAt = now + approvalMs;
  const added = await approvals.add({ userId, by: { managerId, jti, key, requestFingerprint: hash }, expiresAt }, now);
  if (added === 'duplicate') {
    const meanwhile = await approvedBefore(approvals, { managerId, key, hash });
    if (!meanwhile) throw stepUpProblem('step_up_used');
    return meanwhile;
  }
  await desk.note(userId, 'transaction_password_reset_approved', origin);
  return { expiresAt, consent };
}

async function approvedBefore(
  approvals: ApprovalStore,
  { managerId, key, hash }: { managerId: number; key: string | null; hash: string | null },
): Promise<{ expiresAt: number; replayed: true } | null> {
  const found = key === null ? null : await approvals.byKey(managerId, key);
  if (!found) return null;
  if (found.requestFingerprint !== hash) throw problem('idempotency_key_reused');
  return { expiresAt: found.expiresAt, replayed: true };
}
