import * as contract from '@comanda/contracts/calls';
import type { Api } from '@comanda/shared/http/api';
import { toCallResponse } from './call.ts';
import { listCalls } from './list-calls.ts';
import { placeCall, type PlaceCallDeps } from './place-call.ts';
import { updateCall, type UpdateCallDeps } from './update-call.ts';

export function registerCallRoutes({ handle }: Api, deps: PlaceCallDeps & UpdateCallDeps): void {
  handle(contract.placeCall, async (call) => {
    const { placed, isNew } = await placeCall(deps, call);
    return { status: isNew ? 201 : 200, body: toCallResponse(placed) };
  });
  handle(contract.listCalls, async (call) => ({
    status: 200,
    body: (await listCalls(deps, call)).map(toCallResponse),
  }));
  handle(contract.updateCall, async (call) => ({ status: 200, body: toCallResponse(await updateCall(deps, call)) }));
}
