import type { ExceptionKind } from '@comanda/contracts/exceptions';
import type { Actor } from '../actor.ts';

/** A change that takes money or food off a bill, before it is stored. It gets its id when it is stored. */
export type NewException = {
  at: Date;
  kind: ExceptionKind;
  /** The bill's id; null for orders from the first release, which have no bill. */
  billId: number | null;
  lineId: number | null;
  name: string | null;
  amountMinor: number;
  /** The user who made the change; null for a customer. */
  by: Pick<Actor, 'id' | 'name'> | null;
  reason: string | null;
};
export type Exception = NewException & { id: number; day: number | null };

/** What a change takes off the bill. `line` is set if the change affects a single line. */
export type Excepted = { kind: ExceptionKind; amountMinor: number; line?: { id: number; name: string } };
/** The user who makes the change, and the reason if there is one. */
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
