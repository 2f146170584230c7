/** What clients observed. */
export type Observed = {
  /** By order id: every version that a 201 or 200 told, and the status with the highest. */
  orders: Map<number, { versions: number[]; status: string; isUnknown: boolean }>;
  /** Orders whose call had no final answer in the end. */
  unknownOrders: number;
  /** When an order was accepted, in milliseconds without the time in which this process was late. */
  acceptedAt: Map<number, number>;
  /** Portions of the limited dish: ordered by 201, and given back by cancelling what was `received`. */
  portions: { ordered: number; givenBack: number; unknown: number };
  /** Amounts in minor units, by transfer id. */
  transfers: Map<number, { from: number; to: number; minor: number }>;
  /** Ids of the transfers that put the first money into the accounts. */
  deposits: Set<number>;
  /** Transfers whose call had no final answer in the end. */
  unknownTransfers: number;
  pinChecks: number;
  /** Spent tokens that were shown again. */
  reusedTokens: number;
  /** Tokens that a failover of Redis lost, so that the PIN must be entered again. */
  lostTokens: number;
  /** Answers by status and code. */
  answers: Map<string, number>;
  /** Calls without an answer, and answers from 500, by call, code and detail. */
  failures: Map<string, number>;
  /**
   * Answers 503 that took longer than promised, by call and last fault, with the longest in milliseconds. The time in which
   * this process itself was late is not counted.
   */
  lateRefusals: Map<string, number>;
  longestRefusalMs: number;
  /** Answers of any kind that came after a client would have given up, as `lateRefusals`. */
  lateAnswers: Map<string, number>;
  /** Everything that must never happen. */
  broken: string[];
};

export const nothingObserved = (): Observed => ({
  orders: new Map(),
  unknownOrders: 0,
  acceptedAt: new Map(),
  portions: { ordered: 0, givenBack: 0, unknown: 0 },
  transfers: new Map(),
  deposits: new Set(),
  unknownTransfers: 0,
  pinChecks: 0,
  reusedTokens: 0,
  lostTokens: 0,
  answers: new Map(),
  failures: new Map(),
  lateRefusals: new Map(),
  longestRefusalMs: 0,
  lateAnswers: new Map(),
  broken: [],
});
