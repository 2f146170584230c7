import { problem } from '@comanda/contracts/problem';
import { resetApprovalMinutes } from '@comanda/contracts/rules';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { AuditedWork } from '../security-log/audited-work.ts';
import type { Origin } from '../security-log/security-event.ts';
import { authorizeManager } from '../users/authorize-manager.ts';
import type { UserStore } from '../users/user-store.ts';
import { pinAbsent } from './pin-problems.ts';
import type { PinResetApprovalStore } from './pin-reset-approval-store.ts';
import type { PinStore } from './pin-store.ts';

export type ApprovePinResetDeps = {
  approvals: PinResetApprovalStore;
  pins: Pick<PinStore, 'findByUser' | 'allowReset'>;
  users: Pick<UserStore, 'lockManager'>;
  consume: Consume;
  unitOfWork: AuditedWork;
  clock: Clock;
};
type Approved = { expiresAt: number } & ({ consent: Consent } | { replayed: true });

/** How long an approval is valid, in milliseconds. */
export const approvalMs = resetApprovalMinutes * 60_000;

/**
 * Approves another user's PIN reset, on behalf of a manager. Managers cannot approve a reset for themselves or for users whose
 * password they have set, and they never see the PIN.
 * @throws 404 `not_found`; 403 `forbidden`; 401 `invalid_token`; 409 `transaction_password_absent`; the `step_up_…` problems; 422
 * `idempotency_key_reused`
 */
export async function approvePinReset(
  deps: ApprovePinResetDeps,
  call: SensitiveCall & { caller: Pick<Caller, 'userId' | 'role'>; params: { id: number } },
  origin: Origin,
): Promise<Approved> {
  const { approvals, pins, consume, unitOfWork, clock } = deps;
  const managerId = call.caller.userId;
  const userId = call.params.id;
  const request = call.idempotency;
  const earlier = await findReplay(approvals, managerId, request);
  if (earlier) return earlier;
  if (userId === managerId)
    throw problem('forbidden', { detail: "You can't approve a reset of your own PIN. Ask another manager." });
  const holder = await pins.findByUser(userId);
  if (!holder) throw problem('not_found');
  if (!holder.pin) throw pinAbsent();
  if (holder.passwordSetByOther?.replacedOwn && holder.passwordSetByOther.by === managerId) throw setThePassword();

  const consent = await consume(call);
  const now = clock();
  const expiresAt = now + approvalMs;
  const by = { managerId, jti: consent.jti, request };
  const actor = { id: managerId, role: call.caller.role };
  const type = 'transaction_password_reset_approved';
  const entry = { type, time: now, actor, userId, details: {}, origin } as const;
  try {
    await unitOfWork.run(async (session) => {
      await authorizeManager(deps, managerId, session);
      await approvals.insert({ userId, by, expiresAt }, { now, session });
      await pins.allowReset(userId, expiresAt, session);
      return { value: undefined, records: [entry], events: [] };
    });
    return { expiresAt, consent };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const concurrent = await findReplay(approvals, managerId, request);
    if (!concurrent) throw problem('step_up_used');
    return concurrent;
  }
}

const setThePassword = () =>
  problem('forbidden', {
    detail:
      "You have set this user's password, so you cannot approve the reset of their PIN. Another manager can, or the operator with `npm run approve-pin-reset`.",
  });

async function findReplay(
  approvals: PinResetApprovalStore,
  managerId: number,
  request: IdempotentRequest | null,
): Promise<{ expiresAt: number; replayed: true } | null> {
  const approval = request && (await approvals.findByKey(managerId, request.key));
  if (!approval) return null;
  if (approval.requestFingerprint !== request?.fingerprint) throw problem('idempotency_key_reused');
  return { expiresAt: approval.expiresAt, replayed: true };
}
