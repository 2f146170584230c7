import { problem } from '@comanda/contracts/problem';
import * as contracts from '@comanda/contracts/security';
import type { Api } from '@comanda/shared/http/api';
import { originOf } from '../security-log/security-event.ts';
import { consumeStepUp } from './consume-step-up.ts';
import type { ConsumeStepUpDeps } from './consume-step-up.ts';
import { issueStepUp } from './issue-step-up.ts';
import type { IssueStepUpDeps } from './issue-step-up.ts';
import { stepUpLifetimeS } from './step-up-token.ts';

export type StepUpRouteDeps = IssueStepUpDeps & ConsumeStepUpDeps;

export function registerStepUpRoutes({ handle }: Api, deps: StepUpRouteDeps): void {
  handle(contracts.stepUp, async (call) => {
    const { caller, context, body } = call;
    const requester = { caller, origin: originOf(call), traceparent: context.traceparent };
    const step_up_token = await issueStepUp(deps, body, requester);
    const { endpoint_key } = body;
    return {
      status: 201,
      body: { step_up_token, token_type: 'step-up' as const, expires_in: stepUpLifetimeS, endpoint_key },
    };
  });
  handle(contracts.consumeStepUp, async ({ caller, body, isAwaited }) => {
    // The service that asked has given up and answered 503: the token must stay unspent.
    if (!(await isAwaited()))
      throw problem('service_unavailable', { detail: 'The connection was closed before the token was spent.' });
    const { jti, pinVersion, first } = await consumeStepUp(deps, { userId: caller.userId, body });
    return { status: 200, body: { jti, pin_version: pinVersion, first } };
  });
}
