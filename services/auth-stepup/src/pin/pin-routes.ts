import * as contracts from '@comanda/contracts/pin';
import type { Api } from '@comanda/shared/http/api';
import type { RequestContext } from '@comanda/shared/http/request-context';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { originOf } from '../security-log/security-event.ts';
import { approvePinReset, type ApprovePinResetDeps } from './approve-pin-reset.ts';
import { changePin } from './change-pin.ts';
import type { PinRequester } from './pin-requester.ts';
import { createPin } from './create-pin.ts';
import { getPinState, newPinState } from './get-pin-state.ts';
import { resetPin, type ResetPinDeps } from './reset-pin.ts';

export type PinRouteDeps = ResetPinDeps & ApprovePinResetDeps;
type PinCall = {
  caller: Caller;
  context: RequestContext;
  address: string;
  header: (name: string) => string | undefined;
};

const requesterOf = (call: PinCall): PinRequester => ({
  caller: call.caller,
  origin: originOf(call),
  traceparent: call.context.traceparent,
});

export function registerPinRoutes({ handle }: Api, deps: PinRouteDeps): void {
  handle(contracts.createPin, async (call) => {
    const created = await createPin(deps, call.body, requesterOf(call));
    return { status: 201, body: newPinState(created) };
  });
  handle(contracts.getPinState, async ({ caller }) => ({
    status: 200,
    body: await getPinState(deps, { userId: caller.userId }),
  }));
  handle(contracts.changePin, async (call) => {
    const changed = await changePin(deps, call.body, requesterOf(call));
    return { status: 200, body: newPinState(changed) };
  });
  handle(contracts.resetPin, async (call) => {
    const reset = await resetPin(deps, call.body, requesterOf(call));
    return { status: 200, body: newPinState(reset) };
  });
  handle(contracts.approvePinReset, async (call) => {
    const { expiresAt, ...proof } = await approvePinReset(deps, call, originOf(call));
    return { status: 201, body: { expires_at: new Date(expiresAt).toISOString() }, ...proof };
  });
}
