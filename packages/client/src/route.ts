/** What `calls.ts` holds of each contract at run time. */
export type Route = {
  /** Method and path. */
  readonly at: string;
  readonly needs?: 'token';
  /** What is not in the path goes into the body; else into the query. */
  readonly takes?: 'body';
  readonly idempotencyKey?: 'taken';
  /** The endpoint key that consent must be given for. */
  readonly stepUp?: string;
};
