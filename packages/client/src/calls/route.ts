/** The names of the collections that a client can follow. */
export type ResourceName =
  | 'orders'
  | 'bills'
  | 'menu'
  | 'option_groups'
  | 'tables'
  | 'calls'
  | 'stations'
  | 'ordering'
  | 'stops'
  | 'restaurant';

/** The part of a call's contract that the client needs at runtime. The generated `calls.ts` contains these routes. */
export type Route = {
  /** The HTTP method and the path, such as `GET /tables`. */
  readonly endpoint: string;
  /** The call needs no access token. */
  readonly isPublic?: true;
  /** Where to put input that is not in the path: `body`, or `file` if the body is a file. If absent, the query. */
  readonly sends?: 'body' | 'file';
  /** The collection that the row in a successful response belongs to. */
  readonly row?: ResourceName;
  /** 204 if a successful response has no body. */
  readonly responses?: 204;
  readonly idempotencyKey?: 'accepted';
  /** Set if the user must authorize the call. `stepUpRules` has the details. */
  readonly stepUp?: 'required';
};
