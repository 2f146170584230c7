import type { DetailsRule } from '@comanda/contracts/agreed-details';

/** The part of a contract that the generated `calls.ts` contains. */
export type Route = {
  /** The method and the path. */
  readonly endpoint: string;
  readonly requires?: 'token';
  /** Where to send input that is not in the path: `body`, or `file` if the body is a file. By default, the query. */
  readonly sends?: 'body' | 'file';
  /** 204 if a successful response has no body. */
  readonly responses?: 204;
  readonly idempotencyKey?: 'accepted';
  /** The endpoint key that the step-up token must have, and the rule for its details. */
  readonly stepUp?: { readonly key: string; readonly details: DetailsRule };
};
