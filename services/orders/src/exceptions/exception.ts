import type { ExceptionKind } from '@comanda/contracts/exceptions';
import type { Actor } from '../actor.ts';

/** Something that takes money or food away from a bill. It gets its id from the write that stores it. */
export type NewException = {
  at: Date;
  kind: ExceptionKind;
  /** Null in orders of the first release, which have no bill. */
  billId: number | null;
  lineId: number | null;
  name: string | null;
  amountMinor: number;
  /** Null: a customer. */
  by: Pick<Actor, 'id' | 'name'> | null;
  reason: string | null;
};
export type Exception = NewException & { id: number };

/** What a change takes away; `line` if that is of one line. */
export type Excepted = { kind: ExceptionKind; amountMinor: number; line?: { id: number; name: string } };
/** Who does it, and why. */
type Cause = { actor: Actor; reason?: string | undefined };

export const toException = (
  { kind, amountMinor, line }: Excepted,
  { billId, at, context }: { billId: number | null; at: Date; context: Cause },
): NewException => ({
  at,
  kind,
  billId,
  lineId: line?.id ?? null,
  name: line?.name ?? null,
  amountMinor,
  by: context.actor.role === 'customer' ? null : { id: context.actor.id, name: context.actor.name },
  reason: context.reason ?? null,
});
