/**
 * Portions ordered with 201, portions returned by cancelling a `received` order, and portions ordered or returned by a call
 * without a response.
 */
type Portions = { ordered: number; givenBack: number; unknown: number };
/** Everything that clients observed. */
export type Observed = {
  /** By order id: every version that a 201 or 200 reported, and the status of the highest version. */
  orders: Map<number, { versions: number[]; status: string; isUnknown: boolean }>;
  /** Orders whose call had no final response at the end. */
  unknownOrders: number;
  /** When an order was accepted, in milliseconds, not counting the time by which this process was late. */
  acceptedAt: Map<number, number>;
  /** Portions of a limited dish, by its id. */
  portionsOf: (dish: number) => Portions;
  /** Transfers by id, with amounts in minor units. */
  transfers: Map<number, { from: number; to: number; minor: number }>;
  /** Bill payments from accounts, by id, as they were reserved. */
  payments: Map<number, { billId: number; account: number; minor: number }>;
  /** Payments and refunds whose response was 201. */
  paid: { kind: 'bill_payment' | 'bill_refund'; paymentId: number; transferId: number }[];
  /** Reservations whose call had no final response at the end. */
  unknownPayments: number;
  /** When the last payment token expires, in milliseconds since the epoch. */
  lastTokenEndsAt: number;
  /** Transfers whose call had no final response at the end. */
  unknownTransfers: number;
  pinChecks: number;
  /** Number of spent tokens that were accepted again. */
  reusedTokens: number;
  /** Number of tokens that a Redis failover lost, so that the PIN must be entered again. */
  lostTokens: number;
  /** Number of responses by status and code. */
  responses: Map<string, number>;
  /** Number of calls without a response, and of responses with status 500 or higher, by call, code and detail. */
  failures: Map<string, number>;
  /**
   * 503 responses that took longer than promised, by call and last fault, with the longest time in milliseconds. Time by which
   * this process itself was late isn't counted.
   */
  lateRefusals: Map<string, number>;
  longestRefusalMs: number;
  /** Responses of any kind that came after a client would have given up, in the same form as `lateRefusals`. */
  lateResponses: Map<string, number>;
  /** Every violation of a promise, one sentence each. */
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
