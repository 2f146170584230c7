import { problem } from '@comanda/contracts/problem';
import type { Problem } from '@comanda/contracts/problem';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { PostedTransfer, RefusedTransfer, TransferCommand } from './transfer.ts';

/** A final decision: posted, refused, or a token that was declared expired, so that nothing can be posted with it. */
export type JournalRow = FinalRow | { status: 'expired'; jti: string };
/** A decision that is the answer to a request, for good. */
export type FinalRow = { status: 'posted'; transfer: PostedTransfer } | { status: 'refused'; refusal: RefusedTransfer };
/** A decision before it is signed. */
type UnsignedRow =
  | { status: 'posted'; transfer: Omit<PostedTransfer, 'receipt'> }
  | { status: 'refused'; refusal: Omit<RefusedTransfer, 'statement'> };
/** A row to be inserted, with its events. */
export type NewRow = { row: FinalRow; messages: Message[] };
/** The answer to a request: its row, signed or not, and whether an earlier request with the same key has made it. */
export type RowAnswer<Row> = { row: Exclude<Row, { status: 'expired' }>; replayed: boolean };
export type FinalAnswer = RowAnswer<FinalRow>;

/** What makes two requests the same one: the token, or the user's idempotency key. */
export type RequestIdentity = { userId: number; jti: string; idempotency: IdempotentRequest | null };

export const identityOf = ({ userId, consent, idempotency }: TransferCommand): RequestIdentity => ({
  userId,
  jti: consent.jti,
  idempotency,
});
function identityOfRow(row: JournalRow | UnsignedRow): RequestIdentity {
  if (row.status === 'posted') return row.transfer;
  if (row.status === 'refused') return row.refusal;
  return { userId: 0, jti: row.jti, idempotency: null };
}
/** Null for a row that has no id: that of an expired token. */
export function rowId(row: JournalRow): number | null {
  if (row.status === 'expired') return null;
  return row.status === 'posted' ? row.transfer.id : row.refusal.id;
}
const keyOf = (userId: number, key: string): string => `${userId} ${key}`;

/** Rows by token and by idempotency key, as the two unique indexes of the journal have them. */
export function createRowIndex<Row extends JournalRow | UnsignedRow = JournalRow>() {
  const byJti = new Map<string, Row>();
  const byKey = new Map<string, Row>();
  return {
    add: (row: Row): void => {
      const { userId, jti, idempotency } = identityOfRow(row);
      byJti.set(jti, row);
      if (idempotency) byKey.set(keyOf(userId, idempotency.key), row);
    },
    /**
     * The answer that a request already has: its earlier answer, replayed, or the problem `idempotency_key_reused`,
     * `step_up_used` or `step_up_expired`. Null if nothing was decided.
     */
    findAnswer: ({ userId, jti, idempotency }: RequestIdentity): RowAnswer<Row> | Problem | null => {
      const sameKey = idempotency && byKey.get(keyOf(userId, idempotency.key));
      if (sameKey && sameKey.status !== 'expired') {
        const isSameRequest = identityOfRow(sameKey).idempotency?.fingerprint === idempotency.fingerprint;
        const row = sameKey as RowAnswer<Row>['row'];
        return isSameRequest ? { row, replayed: true } : problem('idempotency_key_reused');
      }
      const sameToken = byJti.get(jti);
      if (!sameToken) return null;
      return problem(sameToken.status === 'expired' ? 'step_up_expired' : 'step_up_used');
    },
  };
}
