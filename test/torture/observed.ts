/**
 * The portions of a limited dish: `ordered` by calls with a 201, `givenBack` by cancelling orders that were still `received`, and
 * `unknown` because the call that would have ordered or returned them got no response.
 */
type Portions = { ordered: number; givenBack: number; unknown: number };
/** Everything that clients observed. */
export type Observed = {
  /** Keyed by order id: all versions that a client got in a 201 or 200, and the status in the highest of them. */
  orders: Map<number, { versions: number[]; status: string; isUnknown: boolean }>;
  /** The number of calls to place an order that never got a final response. */
  unknownOrders: number;
  /** When each order was accepted, in milliseconds, keyed by order id. The clock excludes delays of this process itself. */
  acceptedAt: Map<number, number>;
  /** Returns the counters for the portions of the limited dish with this id. */
  portionsOf: (dish: number) => Portions;
  /** Transfers, keyed by id. Amounts are in cents. */
  transfers: Map<number, { from: number; to: number; minor: number }>;
  /** Bill payments from accounts, keyed by id, with the account that paid. */
  payments: Map<number, { billId: number; account: number; minor: number }>;
  /** The payments and refunds for which a client got a 201. */
  paid: { kind: 'bill_payment' | 'bill_refund'; paymentId: number; transferId: number }[];
  /** The number of calls to reserve a payment that never got a final response. */
  unknownPayments: number;
  /** When the last payment token expires, in milliseconds since the epoch. */
  lastTokenEndsAt: number;
  /** The number of calls to transfer money that never got a final response. */
  unknownTransfers: number;
  pinChecks: number;
  /** How many tokens were sent again after they were spent. All must be rejected. */
  reusedTokens: number;
  /** The number of tokens that were lost in a Redis failover. The user must then enter the PIN again. */
  lostTokens: number;
  /** The number of responses, keyed by status and code. */
  responses: Map<string, number>;
  /** The number of failed calls (no response, or a 5xx), keyed by call, code and detail. */
  failures: Map<string, number>;
  /**
   * The slowest 503 responses that took longer than promised, in milliseconds, keyed by call and last fault. Delays of this
   * process itself are not counted.
   */
  lateRefusals: Map<string, number>;
  longestRefusalMs: number;
  /** Responses that came after a client would have given up, in milliseconds, keyed like `lateRefusals`. */
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
