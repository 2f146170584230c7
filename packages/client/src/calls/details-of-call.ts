import { detailsOf, type AnyDetails } from '@comanda/contracts/agreed-details';
import type { CallName } from './call-types.ts';
import { routes } from './calls.ts';
import type { Route } from './route.ts';

/** What the contract of a call declares about its consent; undefined if it needs none. */
export const stepUpOf = (call: CallName): Route['stepUp'] => routes[call].stepUp;

/** What exactly a call with this input does, as its contract declares it; null if the input does not say all of it. */
export function detailsOfCall(call: CallName, input: Readonly<Record<string, unknown>>): AnyDetails | null {
  const stepUp = stepUpOf(call);
  return stepUp ? detailsOf(stepUp.details, input) : null;
}
