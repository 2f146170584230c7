import { randomUUID } from 'node:crypto';
import type { AnyEndpoint, Role } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problems';
import type { AuthorizationDetails } from '@comanda/contracts/security';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { checkPin } from './check-pin.ts';
import type { Attempt, PinDesk } from './check-pin.ts';
import { agreedDetails } from './details.ts';
import { stepUpLifetimeS } from './step-up-token.ts';
import type { StepUpTokens } from './step-up-token.ts';

export type StepUpDesk = PinDesk & {
  tokens: StepUpTokens;
  /** Who may call what a step-up key stands for. */
  whoMay: ReadonlyMap<string, AnyEndpoint['who']>;
  /** Keys whose tokens must name details. */
  detailsRequired: readonly string[];
};
type Wanted = {
  endpoint_key: string;
  transaction_password: string;
  authorization_details?: AuthorizationDetails;
};
type By = Omit<Attempt, 'pin' | 'caller' | 'roles'> & { caller: Caller };

/**
 * A PIN for a token that is good for one call of one endpoint.
 * @throws 422 `endpoint_key_unknown`; 403 `forbidden`; whatever `checkPin` throws
 */
export async function issueStepUp(desk: StepUpDesk, wanted: Wanted, by: By): Promise<string> {
  const { endpoint_key: endpointKey, transaction_password: pin } = wanted;
  const who = desk.whoMay.get(endpointKey);
  if (who === undefined) throw problem('endpoint_key_unknown');
  const roles: readonly Role[] | undefined = who === 'anyone' ? undefined : who;
  if (roles && !roles.includes(by.caller.role)) throw problem('forbidden');
  const details = agreedDetails(endpointKey, wanted.authorization_details, desk.detailsRequired);
  const jti = randomUUID();
  const attempt = { ...by, pin, ...(roles && { roles }) };
  const { userId } = await checkPin(desk, attempt, { jti, livesMs: stepUpLifetimeS * 1000 });
  const token = desk.tokens.issue({ jti, userId, endpointKey, details });
  await desk.note(userId, 'step_up_issued', by.origin);
  return token;
}
