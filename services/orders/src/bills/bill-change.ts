import type { BillChange as BillChangeKind } from '@comanda/contracts/bills';
import type { ClaimPurpose } from '@comanda/contracts/internal';
import type { payBill } from '@comanda/contracts/bill-payments';
import type { BodyOf } from '@comanda/contracts/endpoint';
import type { Problem } from '@comanda/contracts/problem';
import type { Excepted } from '../exceptions/exception.ts';
import type { Order } from '../orders/order.ts';
import type { Bill, Discount } from './bill.ts';

/** A change to a bill, as data. If another write comes first, the change is decided again for the bill's new version. */
export type BillChange =
  | { kind: 'give_discount'; discount: Pick<Discount, 'lineId' | 'percent' | 'amountMinor' | 'label'> }
  | { kind: 'take_discount_away'; discountId: number }
  | { kind: 'set_service_charge'; included: boolean; guestChanges: GuestChanges | null }
  | { kind: 'move'; table: string }
  | { kind: 'set_covers'; covers: number | null }
  | { kind: 'merge'; into: number }
  | { kind: 'close' }
  | { kind: 'reopen' }
  | { kind: 'record_payment'; payment: BodyOf<typeof payBill> }
  | { kind: 'reserve_payment'; payment: BodyOf<typeof payBill> }
  | { kind: 'cancel_payment'; paymentId: number }
  | { kind: 'refund_payment'; paymentId: number; inCash: boolean; cashDrawer: string | undefined; reason: string }
  | { kind: 'claim_payment'; paymentId: number; claim: ClaimRequest }
  | { kind: 'settle_payment'; paymentId: number; settlement: Settlement }
  | { kind: 'end_overdue_reservations' };

/** How many times customers had changed the bill's service charge when the bill had this `version`. */
export type GuestChanges = { count: number; version: number };
/** A claim by the transfers service on a payment: the user's step-up token, and the amount that the user approved with it. */
export type ClaimRequest = {
  purpose: ClaimPurpose;
  jti: string;
  tokenExpiresAt: Date;
  totalMinor: number;
  currency: string;
};
/**
 * What a statement signed by the transfers service proves: money has moved for a payment, or a token will never move any money.
 */
export type Settlement =
  | {
      kind: 'receipt';
      purpose: ClaimPurpose;
      paymentId: number;
      transferId: number;
      jti: string;
      amount: string;
      currency: string;
      /** The user who approved the payment or refund. */
      userId: number;
      postedAt: Date;
    }
  | { kind: 'end'; jti: string };

/** A step's entry in the bill's history. The step's event reports the same change. */
export type BillEntry = {
  kind: BillChangeKind;
  amountMinor?: number;
  lineId?: number;
  paymentId?: number;
  fromSeating?: number;
};
/** One step of a change. Each step creates a version of the bill. */
export type BillStep = {
  bill: Bill;
  /** The bill's orders after the step; absent if they stay the same. */
  orders?: readonly Order[];
  /** Orders that the step moves to another table, seating or bill. */
  moved?: readonly { before: Order; after: Order }[];
  /** Null for a step that appears in neither the history nor an event. */
  entry: BillEntry | null;
  /** The amount that the step takes off the bill, for the list of exceptions. */
  exception?: Excepted;
};
/** The steps of a change, in order. Empty if nothing changes; a problem if the change is rejected. */
export type BillDecision = readonly BillStep[] | Problem;
