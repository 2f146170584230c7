import { problem, type Problem } from '@comanda/contracts/problem';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { PostedTransfer, RefusedTransfer, TransferCommand } from './transfer.ts';

/** What was decided about a command, before it is signed. */
export type Decision = Omit<PostedTransfer, 'receipt'> | Omit<RefusedTransfer, 'statement'>;
/** A decision, signed. */
export type DecidedRow = PostedTransfer | RefusedTransfer;
/** A row of the journal: a decision, or a token that was declared expired, so that nothing can be posted with it. */
export type Row = DecidedRow | { status: 'expired'; jti: string; statement: string };
/** The answer to a request, for good: its decision, and whether an earlier request with the same key has made it. */
export type Answer<D extends Decision = DecidedRow> = { row: D; replayed: boolean };

/** What makes two requests the same one: the token, or the user's idempotency key. */
export type RequestIdentity = { userId: number; jti: string; idempotency: IdempotentRequest | null };

/** With the payment of a bill, which is paid once and given back once. */
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
 * The answer that `row` gives to a request with the same key or token: its decision, replayed, or the problem
 * `idempotency_key_reused`, `step_up_used` or `step_up_expired`. Null if it is the row of another request.
 */
export function answerTo<D extends Decision>(
  row: D | Expired,
  { userId, jti, idempotency }: RequestIdentity,
): Answer<D> | Problem | null {
  if (row.status !== 'expired' && idempotency && row.userId === userId && row.idempotency?.key === idempotency.key)
    return row.idempotency.fingerprint === idempotency.fingerprint
      ? { row, replayed: true }
      : problem('idempotency_key_reused');
  if (row.jti !== jti) return null;
  return problem(row.status === 'expired' ? 'step_up_expired' : 'step_up_used');
}

/** Rows by token and by idempotency key, as the two unique indexes of the journal have them. */
export function createRowIndex<D extends Decision = DecidedRow>() {
  const byJti = new Map<string, D | Expired>();
  const byKey = new Map<string, D>();
  const keyOf = (userId: number, { key }: IdempotentRequest): string => `${userId} ${key}`;
  return {
    add: (row: D | Expired): void => {
      byJti.set(row.jti, row);
      if (row.status !== 'expired' && row.idempotency) byKey.set(keyOf(row.userId, row.idempotency), row);
    },
    /** As `answerTo`, of the row with the same key, else of the one with the same token. */
    findAnswer: (request: RequestIdentity): Answer<D> | Problem | null => {
      const { userId, jti, idempotency } = request;
      const row = (idempotency && byKey.get(keyOf(userId, idempotency))) ?? byJti.get(jti);
      return row ? answerTo<D>(row, request) : null;
    },
  };
}
