import { problem } from '@comanda/contracts/problem';
import { stepUpKeys } from '@comanda/contracts/step-up';
import type { ConsumeStepUp } from '@comanda/contracts/internal';
import { createConsume, type Consume, type Spent } from '@comanda/shared/http/step-up';
import { matchesDetails } from './authorization-details.ts';
import type { RecordSpentToken } from '../security-log/record-spent-tokens.ts';
import { transfersStopped } from '../stops/stop.ts';
import type { SignConsent } from './sign-consent.ts';
import type { StepUpTokenStore } from './step-up-token-store.ts';
import type { StepUpTokens } from './step-up-token.ts';
import { userNotActive, type User } from '../users/user.ts';
import type { UserStore } from '../users/user-store.ts';

export type ConsumeStepUpDeps = {
  stepUpTokenStore: StepUpTokenStore;
  stepUpTokens: StepUpTokens;
  signConsent: SignConsent;
  recordSpentToken: RecordSpentToken;
};

type ConsumeInput = {
  user: Pick<User, 'id' | 'pinVersion'>;
  body: ConsumeStepUp;
  sender: string | null;
  isStopped?: boolean;
};

/**
 * Spends a user's token once. A request that names its fingerprint (`call_hash`) may retry with the same fingerprint, and gets
 * the same authorization signed again. `user` was fetched just before, so a token from before the last PIN change is void even if
 * Redis has lost the change. `sender` is the calling service, which must be the one that serves the call. If `isStopped` is true,
 * no token is spent, but a call that has already spent its token may still retry, so that it can finish.
 * @throws 401 with the `step_up_…` code for the reason; 403 `caller_not_allowed`, `transfers_stopped`
 */
export async function consumeStepUp(
  deps: ConsumeStepUpDeps,
  { user, body, sender, isStopped = false }: ConsumeInput,
): Promise<Spent> {
  const { step_up_token: token, endpoint_key: endpointKey, call_hash: fingerprint, details } = body;
  const claims = deps.stepUpTokens.read(token);
  if (claims.userId !== user.id) throw problem('step_up_invalid');
  if (claims.endpointKey !== endpointKey) throw problem('step_up_wrong_endpoint');
  if (stepUpKeys.get(endpointKey)?.service !== sender) throw problem('caller_not_allowed');

  const isAgreed =
    claims.details === null || matchesDetails({ endpointKey, agreed: claims.details, requested: details });
  // A request that differs from the agreed details also spends the token, and cannot retry.
  const call = isAgreed ? (fingerprint ?? null) : null;
  const result = await deps.stepUpTokenStore.spend(user.id, { jti: claims.jti, call, isStopped });
  if (result.kind === 'stopped') throw transfersStopped();
  if (result.kind === 'used') throw problem('step_up_used');
  if (result.kind !== 'spent' || result.pinVersion < user.pinVersion) throw problem('step_up_invalid');
  if (!isAgreed) throw problem('step_up_wrong_details');
  const { pinVersion, first } = result;
  const { jti, details: agreed } = claims;
  if (first) deps.recordSpentToken({ userId: user.id, purpose: { endpointKey, details: agreed, jti } });
  return { jti, pinVersion, first, jws: deps.signConsent({ ...claims, pinVersion }) };
}

/**
 * Returns the function that spends tokens for this service's own endpoints. The session was already checked when the request
 * arrived.
 */
export const createOwnConsume = (deps: ConsumeStepUpDeps & { users: Pick<UserStore, 'findById'> }): Consume =>
  createConsume(async (body, { caller }) => {
    const user = await deps.users.findById(caller.userId);
    if (user?.status !== 'active') throw userNotActive();
    return consumeStepUp(deps, { user, body, sender: 'auth-stepup' });
  });
