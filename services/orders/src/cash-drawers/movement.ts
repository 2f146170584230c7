import type {
  Confirmer,
  KindByHand,
  Movement as MovementRow,
  MovementKind,
  MovementMethod,
} from '@comanda/contracts/cash-drawers';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Actor } from '../actor.ts';
import { fromMinor } from '../money.ts';

export type Person = Pick<Actor, 'id' | 'name'>;
/** Money that moved in (positive) or out (negative), before it is stored. It gets its id and its day when it is stored. */
export type NewMovement = {
  at: Date;
  kind: MovementKind;
  method: MovementMethod;
  /** Null for all methods but `pix`. */
  confirmedBy: Confirmer | null;
  /** Null if no cash moved. */
  cashDrawer: string | null;
  amountMinor: number;
  tipMinor: number;
  billId: number | null;
  paymentId: number | null;
  /** The staff member who moved it; null if a customer paid. */
  by: Person | null;
  reason: string | null;
  /** The cash drawer on the other side. */
  other: string | null;
  /** The id of the movement that this one reverses. */
  reverses: number | null;
  /** True if it belongs to a count, which cannot be reversed. */
  isOfCount: boolean;
  /** The request that entered it; null if it had no idempotency key, and for the second movement of a pair. */
  request: IdempotentRequest | null;
};
export type Movement = NewMovement & { id: number; day: number };

const inward: ReadonlySet<KindByHand> = new Set<KindByHand>(['float', 'pay_in']);

type ByHand = {
  at: Date;
  kind: KindByHand;
  cashDrawer: string;
  /** The cash drawer on the other side, which gets the opposite movement. */
  other: string | null;
  /** The amount, which is positive. */
  amountMinor: number;
  by: Person;
  reason: string | null;
  isOfCount?: boolean;
  request?: IdempotentRequest | null;
};

/** Returns the movement of cash in a cash drawer; with `other`, also its opposite there. */
export function movementsByHand({
  other,
  amountMinor,
  isOfCount = false,
  request = null,
  ...byHand
}: ByHand): NewMovement[] {
  const signedMinor = inward.has(byHand.kind) ? amountMinor : -amountMinor;
  const first = { ...cashMoved, ...byHand, amountMinor: signedMinor, other, isOfCount, request };
  if (other === null) return [first];
  return [first, { ...first, cashDrawer: other, other: byHand.cashDrawer, amountMinor: -signedMinor, request: null }];
}

/** The fields that all movements of cash by hand have in common. */
export const cashMoved = {
  method: 'cash',
  confirmedBy: null,
  tipMinor: 0,
  billId: null,
  paymentId: null,
  reverses: null,
} as const;

export const toMovementRow = (movement: Movement): MovementRow => ({
  id: movement.id,
  day: movement.day,
  at: movement.at.toISOString(),
  kind: movement.kind,
  method: movement.method,
  confirmed_by: movement.confirmedBy,
  cash_drawer: movement.cashDrawer,
  amount: fromMinor(movement.amountMinor),
  tip: fromMinor(movement.tipMinor),
  bill_id: movement.billId,
  payment_id: movement.paymentId,
  by: movement.by,
  reason: movement.reason,
  other: movement.other,
  reverses: movement.reverses,
});
