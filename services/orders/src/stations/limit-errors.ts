import type { ProblemMembers } from '@comanda/contracts/problem';
import type { TicketLimits } from '@comanda/contracts/ticket-limits';

type Errors = NonNullable<ProblemMembers['errors']>;
/** `pointer`: the list's pointer in the body. `member`: the member that says what the limits are for, compared by `keyOf`. */
type List<L> = { pointer: string; member: string; keyOf: (limits: L) => unknown };

/** Returns an error for each entry whose amber time isn't before its late time, and for each repetition of an entry. */
export function limitErrors<L extends TicketLimits>(list: readonly L[], { pointer, member, keyOf }: List<L>): Errors {
  const keys = list.map(keyOf);
  return list.flatMap((limits, at) => [
    ...orderErrors(limits, `${pointer}/${at}`),
    ...(keys.indexOf(keys[at]) === at
      ? []
      : [{ pointer: `${pointer}/${at}/${member}`, detail: 'must be named once only' }]),
  ]);
}

/** Returns an error if the amber time isn't before the late time. `pointer`: the limits' pointer in the body. */
export const orderErrors = ({ amber_minutes: amber, late_minutes: late }: TicketLimits, pointer: string): Errors =>
  amber < late ? [] : [{ pointer: `${pointer}/amber_minutes`, detail: 'must be smaller than late_minutes' }];
