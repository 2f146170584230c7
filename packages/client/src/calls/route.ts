import type { DetailsRule } from '@comanda/contracts/agreed-details';

/** The part of a contract that `calls.ts` contains at run time. */
export type Route = {
  /** The method and the path. */
  readonly endpoint: string;
  readonly requires?: 'token';
  /** Where input that is not in the path goes: `body`, or `file` if the file is the body; by default, the query. */
  readonly sends?: 'body' | 'file';
  /** A successful response has no body. */
  readonly responses?: 204;
  readonly idempotencyKey?: 'accepted';
  /** The endpoint key of the required step-up token, and the rule for the token's details. */
  readonly stepUp?: { readonly key: string; readonly details: DetailsRule };
};
