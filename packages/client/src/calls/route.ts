import type { DetailsRule } from '@comanda/contracts/agreed-details';

/** The part of each contract that `calls.ts` has at run time. */
export type Route = {
  /** Method and path. */
  readonly endpoint: string;
  readonly requires?: 'token';
  /** The place of input that is not in the path: `body`, or `file` if the file is the body; by default, the query. */
  readonly sends?: 'body' | 'file';
  /** A success has no body. */
  readonly responses?: 204;
  readonly idempotencyKey?: 'accepted';
  /** The endpoint key of the required step-up token, and the rule for its details. */
  readonly stepUp?: { readonly key: string; readonly details: DetailsRule };
};
