import type { Call } from '@comanda/shared/http/api';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { actorOf, type Actor } from './actor.ts';

/** The user who makes a change, the trace of their request, and the reason if they gave one. */
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

/** Returns the request's idempotency key and fingerprint, if it has a key. Keys are stored with the user's id as a prefix. */
export const idempotentRequestOf = ({ caller, idempotency }: CallByUser): IdempotentRequest | null =>
  idempotency && { ...idempotency, key: `${caller.userId}/${idempotency.key}` };
