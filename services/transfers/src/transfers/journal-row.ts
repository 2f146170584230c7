import { problem } from '@comanda/contracts/problem';
import type { Problem } from '@comanda/contracts/problem';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { PostedTransfer, RefusedTransfer, TransferCommand } from './transfer.ts';

/** A final decision: posted, refused, or a token that was declared expired, so that nothing can be posted with it. */
export type JournalRow = FinalRow | { status: 'expired'; jti: string };
/** A decision that is the answer to a request, for good. */
export type FinalRow = { status: 'posted'; transfer: PostedTransfer } | { status: 'refused'; refusal: RefusedTransfer };
/** A row to be inserted, with its events. */
export type NewRow = { row: FinalRow; messages: Message[] };
export type FinalAnswer = { row: FinalRow; replayed: boolean };

/** What makes two requests the same one: the token, or the user's idempotency key. */
export type RequestIdentity = { userId: number; jti: string; idempotency: IdempotentRequest | null };

export const identityOf = ({ userId, consent, idempotency }: TransferCommand): RequestIdentity => ({
  userId,
  jti: consent.jti,
  idempotency,
});
function identityOfRow(row: JournalRow): RequestIdentity {
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
export function createRowIndex() {
  const byJti = new Map<string, JournalRow>();
  const byKey = new Map<string, JournalRow>();
  return {
    add: (row: JournalRow): void => {
      const { userId, jti, idempotency } = identityOfRow(row);
      byJti.set(jti, row);
      if (idempotency) byKey.set(keyOf(userId, idempotency.key), row);
    },
    /**
     * The answer that a request already has: its earlier answer, replayed, or the problem `idempotency_key_reused`,
     * `step_up_used` or `step_up_expired`. Null if nothing was decided.
     */
    findAnswer: ({ userId, jti, idempotency }: RequestIdentity): FinalAnswer | Problem | null => {
      const sameKey = idempotency && byKey.get(keyOf(userId, idempotency.key));
      if (sameKey && sameKey.status !== 'expired') {
        const isSameRequest = identityOfRow(sameKey).idempotency?.fingerprint === idempotency.fingerprint;
        return isSameRequest ? { row: sameKey, replayed: true } : problem('idempotency_key_reused');
      }
      const sameToken = byJti.get(jti);
      if (!sameToken) return null;
      return problem(sameToken.status === 'expired' ? 'step_up_expired' : 'step_up_used');
    },
  };
}
