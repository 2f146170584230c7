/** Ordered by 201, given back by cancelling what was `received`, and ordered or given back by a call without an answer. */
type Portions = { ordered: number; givenBack: number; unknown: number };
/** What clients observed. */
export type Observed = {
  /** By order id: every version that a 201 or 200 told, and the status with the highest. */
  orders: Map<number, { versions: number[]; status: string; isUnknown: boolean }>;
  /** Orders whose call had no final answer in the end. */
  unknownOrders: number;
  /** When an order was accepted, in milliseconds without the time in which this process was late. */
  acceptedAt: Map<number, number>;
  /** Portions of a limited dish, by its id. */
  portionsOf: (dish: number) => Portions;
  /** Amounts in minor units, by transfer id. */
  transfers: Map<number, { from: number; to: number; minor: number }>;
  /** Payments of bills by account, by id, as they were reserved. */
  payments: Map<number, { billId: number; account: number; minor: number }>;
  /** Payments and refunds that were answered 201. */
  paid: { kind: 'bill_payment' | 'bill_refund'; paymentId: number; transferId: number }[];
  /** Reservations whose call had no final answer in the end. */
  unknownPayments: number;
  /** When the last token of a payment ends, in milliseconds since the epoch. */
  lastTokenEndsAt: number;
  /** Transfers whose call had no final answer in the end. */
  unknownTransfers: number;
  pinChecks: number;
  /** Spent tokens that were shown again. */
  reusedTokens: number;
  /** Tokens that a failover of Redis lost, so that the PIN must be entered again. */
  lostTokens: number;
  /** Answers by status and code. */
  responses: Map<string, number>;
  /** Calls without an answer, and answers from 500, by call, code and detail. */
  failures: Map<string, number>;
  /**
   * Answers 503 that took longer than promised, by call and last fault, with the longest in milliseconds. The time in which
   * this process itself was late is not counted.
   */
  lateRefusals: Map<string, number>;
  longestRefusalMs: number;
  /** Answers of any kind that came after a client would have given up, as `lateRefusals`. */
  lateResponses: Map<string, number>;
  /** Everything that must never happen. */
  broken: string[];
};

export function nothingObserved(): Observed {
  const portions = new Map<number, Portions>();
  return {
    orders: new Map(),
    unknownOrders: 0,
    acceptedAt: new Map(),
    portionsOf: (dish) => {
      const found = portions.get(dish) ?? { ordered: 0, givenBack: 0, unknown: 0 };
      portions.set(dish, found);
      return found;
    },
    transfers: new Map(),
    payments: new Map(),
    paid: [],
    unknownPayments: 0,
    lastTokenEndsAt: 0,
    unknownTransfers: 0,
    pinChecks: 0,
    reusedTokens: 0,
    lostTokens: 0,
    responses: new Map(),
    failures: new Map(),
    lateRefusals: new Map(),
    longestRefusalMs: 0,
    lateResponses: new Map(),
    broken: [],
  };
}
