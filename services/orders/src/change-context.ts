import type { Call } from '@comanda/shared/http/api';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { actorOf, type Actor } from './actor.ts';

/** The user who makes a change, the request, and the reason. */
export type ChangeContext = { actor: Actor; traceparent: string; reason?: string | undefined };
type CallByUser = Pick<Call<AnyEndpoint>, 'context' | 'idempotency'> & { caller: Caller };

export const contextOf = (
  { caller, context }: Pick<CallByUser, 'caller' | 'context'>,
  reason?: string,
): ChangeContext => ({
  actor: actorOf(caller),
  traceparent: context.traceparent,
  ...(reason !== undefined && { reason }),
});

/** Returns the request with its idempotency key, if it has one. Stored keys are unique for their user. */
export const idempotentRequestOf = ({ caller, idempotency }: CallByUser): IdempotentRequest | null =>
  idempotency && { ...idempotency, key: `${caller.userId}/${idempotency.key}` };
