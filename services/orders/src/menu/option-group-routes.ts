import * as contract from '@comanda/contracts/option-groups';
import { problem } from '@comanda/contracts/problem';
import type { Api } from '@comanda/shared/http/api';
import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import { actorOf } from '../actor.ts';
import { toGroupResponse } from './option-group.ts';
import {
  planGroup,
  removeGroup,
  setOptionAvailable,
  writeGroup,
  type GroupChange,
  type OptionGroupDeps,
} from './write-option-groups.ts';

export type OptionGroupRouteDeps = OptionGroupDeps & {
  /** Spends a manager's step-up token for a menu change; null if MENU_STEP_UP doesn't require a PIN. */
  consumeForMenu: Consume | null;
};

export function registerOptionGroupRoutes({ handle }: Api, deps: OptionGroupRouteDeps): void {
  const { optionGroups } = deps;

  handle(contract.listOptionGroups, async () => ({
    status: 200,
    body: (await optionGroups.getAll()).map(toGroupResponse),
  }));
  handle(contract.getOptionGroup, async ({ params }) => {
    const group = await optionGroups.find(params.id);
    if (!group) throw problem('not_found');
    return { status: 200, body: toGroupResponse(group) };
  });
  handle(contract.createOptionGroup, async (call) => {
    const change = { id: null, fields: call.body };
    const consent = await consentToGroup(deps, call, change);
    const { caller, context } = call;
    const group = await writeGroup(deps, { ...change, actor: actorOf(caller), traceparent: context.traceparent });
    return {
      status: 201,
      body: toGroupResponse(group),
      headers: { Location: `/option-groups/${group.id}` },
      consent,
    };
  });
  handle(contract.updateOptionGroup, async (call) => {
    const { version, ...fields } = call.body;
    const change = { id: call.params.id, version, fields };
    const consent = await consentToGroup(deps, call, change);
    const { caller, context } = call;
    const group = await writeGroup(deps, { ...change, actor: actorOf(caller), traceparent: context.traceparent });
    return { status: 200, body: toGroupResponse(group), consent };
  });
  handle(contract.deleteOptionGroup, async ({ params: { id }, caller, context: { traceparent } }) => {
    await removeGroup(deps, { id, actor: actorOf(caller), traceparent });
    return { status: 204 };
  });
  handle(contract.setOptionAvailability, async ({ params, body, caller, context: { traceparent } }) => {
    const { id, option_id: optionId } = params;
    const { available } = body;
    const who = { actor: actorOf(caller), traceparent };
    const group = await setOptionAvailable(deps, { id, optionId, available, ...who });
    return { status: 200, body: toGroupResponse(group) };
  });
}

/**
 * Spends the step-up token if the change sets what guests read or pay. Returns null if no token is required.
 * @throws the problems of `planGroup`, before the token is spent; a `step_up_…` problem; 503 `service_unavailable` if auth-stepup
 * can't be reached
 */
async function consentToGroup(
  deps: OptionGroupRouteDeps,
  call: SensitiveCall,
  change: GroupChange,
): Promise<Consent | null> {
  const { min: _min, max: _max, ...agreed } = change.fields;
  if (!deps.consumeForMenu || Object.values(agreed).every((value) => value === undefined)) return null;
  await planGroup(deps, change);
  return deps.consumeForMenu(call);
}
