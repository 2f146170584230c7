import type { DetailsRule } from '@comanda/contracts/agreed-details';

/** What `calls.ts` has of each contract at run time. */
export type Route = {
  /** Method and path. */
  readonly endpoint: string;
  readonly requires?: 'token';
  /** Input that is not in the path is sent in the body, or its `file` is the body; without this, it is in the query. */
  readonly sends?: 'body' | 'file';
  /** The only success has no body. */
  readonly responses?: 204;
  readonly idempotencyKey?: 'accepted';
  /** The endpoint key of the step-up token that the call needs, and how its details are computed. */
  readonly stepUp?: { readonly key: string; readonly details: DetailsRule };
};
