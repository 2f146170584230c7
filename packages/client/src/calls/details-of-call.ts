import { detailsOf, type AnyDetails } from '@comanda/contracts/agreed-details';
import type { Calls } from './calls.ts';
import { stepUpRules, type StepUpRule } from './step-up-rules.ts';

/** Returns the authorization that a call's contract requires, or undefined if the call needs none. */
export const stepUpOf = (call: keyof Calls): StepUpRule | undefined => stepUpRules[call];

/** Returns the authorization details for a call with this input, or null if the input lacks a required field. */
export function detailsOfCall(call: keyof Calls, input: Readonly<Record<string, unknown>>): AnyDetails | null {
  const stepUp = stepUpOf(call);
  return stepUp ? detailsOf(stepUp.details, input) : null;
}
