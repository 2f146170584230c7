import { randomUUID } from 'node:crypto';
import type { Role } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import { stepUpKeys, type AuthorizationDetails } from '@comanda/contracts/step-up';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { checkPin, type CheckPinDeps } from '../pin/check-pin.ts';
import type { PinRequester } from '../pin/pin-requester.ts';
import { readDetails } from './authorization-details.ts';
import { stepUpLifetimeS, type StepUpTokens } from './step-up-token.ts';

export type IssueStepUpDeps = CheckPinDeps & {
  stepUpTokens: StepUpTokens;
  /** Endpoint keys whose tokens must have details, although the contracts make details optional. */
  detailsRequired: readonly string[];
};
type IssueStepUpInput = {
  endpoint_key: string;
  transaction_password: string;
  authorization_details?: AuthorizationDetails;
};

/**
 * Exchanges a PIN for a token that is valid for one request to one endpoint.
 * @throws 422 `endpoint_key_unknown`, `authorization_details_invalid`; 403 `forbidden`, `transfers_stopped`; the same problems as
 * `checkPin`
 */
export async function issueStepUp(
  deps: IssueStepUpDeps,
  input: IssueStepUpInput,
  requester: PinRequester & { caller: Caller },
): Promise<string> {
  const { endpoint_key: endpointKey, transaction_password: pin, authorization_details } = input;
  const roles = rolesFor(endpointKey);
  if (roles && !roles.includes(requester.caller.role)) throw problem('forbidden');
  const details = readDetails({ endpointKey, details: authorization_details, required: deps.detailsRequired });

  const jti = randomUUID();
  const token = { jti, lifetimeMs: stepUpLifetimeS * 1000 };
  const { userId } = await checkPin(deps, { ...requester, pin, token, endpointKey, ...(roles && { roles }) });
  const stepUpToken = deps.stepUpTokens.issue({ jti, userId, endpointKey, details });
  await deps.recordSecurityEvent({
    userId,
    type: 'step_up_issued',
    origin: requester.origin,
    purpose: { endpointKey, details, jti },
  });
  return stepUpToken;
}

/** Returns the roles that may call the endpoint; null if any role may. */
function rolesFor(endpointKey: string): readonly Role[] | null {
  const declared = stepUpKeys.get(endpointKey);
  if (!declared) throw problem('endpoint_key_unknown');
  return declared.who === 'anyone' ? null : declared.who;
}
