import { problem, type Problem } from '@comanda/contracts/problem';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { PostedTransfer, RefusedTransfer, TransferCommand } from './transfer.ts';

/** A decision about a command before it is signed. */
export type Decision = Omit<PostedTransfer, 'receipt'> | Omit<RefusedTransfer, 'statement'>;
/** A decision about a command, with its signature. */
export type DecidedRow = PostedTransfer | RefusedTransfer;
/** A row of the journal: a decision, or the expiry of a token, after which nothing can be posted with the token. */
export type Row = DecidedRow | { status: 'expired'; jti: string; statement: string };
/**
 * A request's final result. `row`: the decision. `replayed`: true if the decision was made for an earlier request with the same
 * key.
 */
export type Result<D extends Decision = DecidedRow> = { row: D; replayed: boolean };

/**
 * The facts that identify a request. Two requests are the same if they have the same token, or the same user and idempotency key.
 */
export type RequestIdentity = { userId: number; jti: string; idempotency: IdempotentRequest | null };

/** The facts that identify a command: its request, and its bill payment if it has one, which is paid once and refunded once. */
export type CommandIdentity = RequestIdentity & Pick<TransferCommand, 'kind' | 'paymentId'>;

export const identityOf = ({ userId, consent, idempotency, kind, paymentId }: TransferCommand): CommandIdentity => ({
  userId,
  kind,
  paymentId,
  jti: consent.jti,
  idempotency,
});

type Expired = Extract<Row, { status: 'expired' }>;

/**
 * Returns what `row` means for a request with the same key or token: its decision, replayed; or the problem
 * `idempotency_key_reused`, `step_up_used` or `step_up_expired`. Returns null if the row is for another request.
 */
export function resultFor<D extends Decision>(
  row: D | Expired,
  { userId, jti, idempotency }: RequestIdentity,
): Result<D> | Problem | null {
  if (row.status !== 'expired' && idempotency && row.userId === userId && row.idempotency?.key === idempotency.key)
    return row.idempotency.fingerprint === idempotency.fingerprint
      ? { row, replayed: true }
      : problem('idempotency_key_reused');
  if (row.jti !== jti) return null;
  return problem(row.status === 'expired' ? 'step_up_expired' : 'step_up_used');
}

/** Creates an index of rows by token and by idempotency key, like the journal's two unique indexes. */
export function createRowIndex<D extends Decision = DecidedRow>() {
  const byJti = new Map<string, D | Expired>();
  const byKey = new Map<string, D>();
  const keyOf = (userId: number, { key }: IdempotentRequest): string => `${userId} ${key}`;
  return {
    add: (row: D | Expired): void => {
      byJti.set(row.jti, row);
      if (row.status !== 'expired' && row.idempotency) byKey.set(keyOf(row.userId, row.idempotency), row);
    },
    /**
     * Finds the row with the same key, or else the one with the same token. Returns what it means for the request; null if there
     * is none.
     */
    findResult: (request: RequestIdentity): Result<D> | Problem | null => {
      const { userId, jti, idempotency } = request;
      const row = (idempotency && byKey.get(keyOf(userId, idempotency))) ?? byJti.get(jti);
      return row ? resultFor<D>(row, request) : null;
    },
  };
}
