import * as contracts from '@comanda/contracts/security';
import { problem } from '@comanda/contracts/problems';
import type { Api } from '@comanda/shared/http/api';
import { createConsume } from '@comanda/shared/http/step-up';
import type { RequestContext } from '@comanda/shared/http/request-context';
import { originOf } from '../security-log/security-log.ts';
import { approveReset } from './approve-reset.ts';
import type { ApprovalDesk } from './approve-reset.ts';
import { consumeStepUp } from './consume-step-up.ts';
import { issueStepUp } from './issue-step-up.ts';
import type { StepUpDesk } from './issue-step-up.ts';
import { freshPinState, readPinState } from './read-pin-state.ts';
import { changePin, createPin, resetPin } from './set-pin.ts';
import type { ResetDesk } from './set-pin.ts';
import { stepUpLifetimeS } from './step-up-token.ts';

export type ConsentDesk = StepUpDesk & ResetDesk & ApprovalDesk;
type SomeCall = { address: string; header: (name: string) => string | undefined; context: RequestContext };

const whereFrom = (call: SomeCall) => ({ origin: originOf(call), traceparent: call.context.traceparent });

/** The PIN, and what it is exchanged for. */
export function pinRoutes({ handle }: Api, desk: ConsentDesk): void {
  handle(contracts.createPin, async (call) => {
    const created = await createPin(desk, call.body, { caller: call.caller, ...whereFrom(call) });
    return { status: 201, body: freshPinState(created) };
  });
  handle(contracts.getPinState, async ({ caller }) => ({ status: 200, body: await readPinState(desk, caller.userId) }));
  handle(contracts.changePin, async (call) => {
    const changed = await changePin(desk, call.body, { caller: call.caller, ...whereFrom(call) });
    return { status: 200, body: freshPinState(changed) };
  });
  handle(contracts.resetPin, async (call) => {
    const reset = await resetPin(desk, call.body, { caller: call.caller, ...whereFrom(call) });
    return { status: 200, body: freshPinState(reset) };
  });
  handle(contracts.stepUp, async (call) => {
    const token = await issueStepUp(desk, call.body, { caller: call.caller, ...whereFrom(call) });
    const { endpoint_key } = call.body;
    return {
      status: 201,
      body: { step_up_token: token, token_type: 'step-up' as const, expires_in: stepUpLifetimeS, endpoint_key },
    };
  });
}

/** What is done with the token, here and for the other services. */
export function stepUpRoutes({ handle }: Api, desk: ConsentDesk): void {
  const consume = createConsume((body, { caller }) => consumeStepUp(desk, caller.userId, body));
  handle(contracts.approvePinReset, async (call) => {
    const { expiresAt, ...proof } = await approveReset({ ...desk, consume }, call, originOf(call));
    return { status: 201, body: { expires_at: new Date(expiresAt).toISOString() }, ...proof };
  });
  handle(contracts.consumeStepUp, async ({ caller, body, isAwaited }) => {
    // Where nobody waits any more nothing is spent: whoever asked has answered that consent could not be checked.
    if (!(await isAwaited())) throw problem('service_unavailable', { detail: 'Nobody waits for this.' });
    const { jti, pinVersion, first } = await consumeStepUp(desk, caller.userId, body);
    return { status: 200, body: { jti, pin_version: pinVersion, first } };
  });
}
