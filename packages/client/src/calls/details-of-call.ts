import { detailsOf, type AnyDetails } from '@comanda/contracts/agreed-details';
import type { CallName } from './call-types.ts';
import { routes } from './calls.ts';
import type { Route } from './route.ts';

/** Returns the authorization that a call's contract requires; undefined if it needs none. */
export const stepUpOf = (call: CallName): Route['stepUp'] => routes[call].stepUp;

/** Returns the authorization details for a call with this input, or null if the input lacks a required field. */
export function detailsOfCall(call: CallName, input: Readonly<Record<string, unknown>>): AnyDetails | null {
  const stepUp = stepUpOf(call);
  return stepUp ? detailsOf(stepUp.details, input) : null;
}
