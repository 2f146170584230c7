/** The collections that a client can follow. */
export type ResourceName =
  | 'orders'
  | 'bills'
  | 'menu'
  | 'tables'
  | 'calls'
  | 'stations'
  | 'ordering'
  | 'stops'
  | 'restaurant';

/** The part of a contract that the generated `calls.ts` contains. */
export type Route = {
  /** The method and the path. */
  readonly endpoint: string;
  readonly requires?: 'token';
  /** Where to send input that is not in the path: `body`, or `file` if the body is a file. By default, the query. */
  readonly sends?: 'body' | 'file';
  /** The collection whose row a successful response contains. */
  readonly row?: ResourceName;
  /** A successful response has no body. */
  readonly responses?: 204;
  readonly idempotencyKey?: 'accepted';
  /** The user must authorize the call: see `stepUpRules`. */
  readonly stepUp?: 'required';
};
