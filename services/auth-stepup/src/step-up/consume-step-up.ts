import { problem } from '@comanda/contracts/problem';
import type { ConsumeStepUp } from '@comanda/contracts/security';
import type { Spent } from '@comanda/shared/http/step-up';
import { matchesDetails } from './authorization-details.ts';
import type { StepUpTokenStore } from './step-up-token-store.ts';
import type { StepUpTokens } from './step-up-token.ts';

export type ConsumeStepUpDeps = { stepUpTokenStore: StepUpTokenStore; stepUpTokens: StepUpTokens };

/**
 * Spends a user's token once. A request that names its fingerprint (`call_hash`) may ask again with the same one.
 * @throws 401 with the `step_up_…` code of the reason
 */
export async function consumeStepUp(
  { stepUpTokenStore, stepUpTokens }: ConsumeStepUpDeps,
  { userId, body }: { userId: number; body: ConsumeStepUp },
): Promise<Spent> {
  const { step_up_token: token, endpoint_key: endpointKey, call_hash: fingerprint, details } = body;
  const claims = stepUpTokens.read(token);
  if (claims.userId !== userId) throw problem('step_up_invalid');
  if (claims.endpointKey !== endpointKey) throw problem('step_up_wrong_endpoint');

  const isAgreed = claims.details === null || matchesDetails(claims.details, details);
  // A request that does something else spends the token as well, and cannot ask again.
  const call = isAgreed ? (fingerprint ?? null) : null;
  const result = await stepUpTokenStore.spend(userId, { jti: claims.jti, call });
  if (result.kind === 'used') throw problem('step_up_used');
  if (result.kind !== 'spent') throw problem('step_up_invalid');
  if (!isAgreed) throw problem('step_up_wrong_details');
  return { jti: claims.jti, pinVersion: result.pinVersion, first: result.first };
}
