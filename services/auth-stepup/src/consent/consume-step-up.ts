import type { ConsumeStepUp } from '@comanda/contracts/security';
import { stepUpProblem } from '@comanda/shared/http/step-up';
import type { Spent } from '@comanda/shared/http/step-up';
import type { ConsentStore } from './consent-store.ts';
import { isAsAgreed } from './details.ts';
import type { StepUpTokens } from './step-up-token.ts';

type Desk = { store: ConsentStore; tokens: StepUpTokens };

/**
 * Spends a token of `userId`, once and for all: by one call, or by one that may ask again with the same hash.
 * @throws the `step_up_…` problem that says why not
 */
export async function consumeStepUp(
  { store, tokens }: Desk,
  userId: number,
  { step_up_token: token, endpoint_key: endpointKey, call_hash: requestFingerprint, details }: ConsumeStepUp,
): Promise<Spent> {
  const claims = tokens.read(token);
  if (claims.userId !== userId) throw stepUpProblem('step_up_invalid');
  if (claims.endpointKey !== endpointKey) throw stepUpProblem('step_up_wrong_endpoint');
  const agreed = claims.details === null || isAsAgreed(claims.details, details);
  // A call that does something else burns the token: it is spent, and by nobody who could ask again.
  const spent = await store.spend(userId, { jti: claims.jti, by: agreed ? (requestFingerprint ?? null) : null });
  if (spent.is === 'used') throw stepUpProblem('step_up_used');
  if (spent.is !== 'spent') throw stepUpProblem('step_up_invalid');
  if (!agreed) throw stepUpProblem('step_up_wrong_details');
  return { jti: claims.jti, pinVersion: spent.pinVersion, first: spent.first };
}
