/**
 * Portions that were ordered with 201, returned by cancelling a `received` order, or ordered or returned by a call without a
 * response.
 */
type Portions = { ordered: number; givenBack: number; unknown: number };
/** Everything that clients observed. */
export type Observed = {
  /** For each order id, all versions that a 201 or 200 reported, and the status in the highest one. */
  orders: Map<number, { versions: number[]; status: string; isUnknown: boolean }>;
  /** The number of order calls without a final response. */
  unknownOrders: number;
  /** When each order was accepted, in milliseconds, without this process's own delay. */
  acceptedAt: Map<number, number>;
  /** The portions of a limited dish with this id. */
  portionsOf: (dish: number) => Portions;
  /** Transfers by id. Amounts are in minor units. */
  transfers: Map<number, { from: number; to: number; minor: number }>;
  /** Bill payments from accounts, by id, with the reserved amounts. */
  payments: Map<number, { billId: number; account: number; minor: number }>;
  /** Payments and refunds with the response 201. */
  paid: { kind: 'bill_payment' | 'bill_refund'; paymentId: number; transferId: number }[];
  /** The number of reservation calls without a final response. */
  unknownPayments: number;
  /** When the last payment token expires, in milliseconds since the epoch. */
  lastTokenEndsAt: number;
  /** The number of transfer calls without a final response. */
  unknownTransfers: number;
  pinChecks: number;
  /** The number of spent tokens that were accepted again. */
  reusedTokens: number;
  /** The number of tokens that a Redis failover lost, which means that the PIN must be entered again. */
  lostTokens: number;
  /** The number of responses by status and code. */
  responses: Map<string, number>;
  /** The number of failed calls (without a response, or with a status of at least 500) by call, code and detail. */
  failures: Map<string, number>;
  /**
   * 503 responses that took longer than promised, by call and last fault, with the longest time in milliseconds. This process's
   * own delay is not counted.
   */
  lateRefusals: Map<string, number>;
  longestRefusalMs: number;
  /** Responses that came after a client would have given up, in the same format as `lateRefusals`. */
  lateResponses: Map<string, number>;
  /** A sentence for each broken promise. */
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
