import { problem } from '@comanda/contracts/problems';
import type { Problem } from '@comanda/contracts/problems';
import { stepUpProblem } from '@comanda/shared/http/step-up';
import type { IdempotentRequest, PostedTransfer, RefusedTransfer, Wish } from './transfer.ts';

/**
 * A final decision, as the journal has it: posted; refused with an answer that stays; or declared expired, so that
 * nothing can be posted with this token any more.
 */
export type JournalRow =
  | { status: 'posted'; transfer: PostedTransfer }
  | { status: 'refused'; refusal: RefusedTransfer }
  | { status: 'expired'; jti: string };
/** What a call is answered with, for good. */
export type FinalRow = Exclude<JournalRow, { status: 'expired' }>;
export type Final = { row: FinalRow; replayed: boolean };

type Who = { userId: number; jti: string; call: IdempotentRequest | null };
const whoOf = (row: JournalRow): Who => {
  if (row.status === 'posted') return row.transfer;
  if (row.status === 'refused') return row.refusal;
  return { userId: 0, jti: row.jti, call: null };
};
export const whoWishes = ({ userId, consent, call }: Wish): Who => ({ userId, jti: consent.jti, call });

const keyOf = (userId: number, key: string): string => `${userId} ${key}`;

/** Rows by token and by key, as two unique indexes have them: the second lock behind the step-up store. */
export function createRowIndex() {
  const byJti = new Map<string, JournalRow>();
  const byKey = new Map<string, JournalRow>();
  return {
    add: (row: JournalRow): void => {
      const { userId, jti, call } = whoOf(row);
      byJti.set(jti, row);
      if (call) byKey.set(keyOf(userId, call.key), row);
    },
    /**
     * The answer that this call has already: its own, given again; or why it can have none, `idempotency_key_reused`,
     * `step_up_used` or `step_up_expired`. Null where nothing was decided.
     */
    answer: ({ userId, jti, call }: Who): Final | Problem | null => {
      const sameKey = call && byKey.get(keyOf(userId, call.key));
      if (sameKey && sameKey.status !== 'expired') {
        const same = whoOf(sameKey).call?.hash === call.hash;
        return same ? { row: sameKey, replayed: true } : problem('idempotency_key_reused');
      }
      const sameToken = byJti.get(jti);
      if (!sameToken) return null;
      return stepUpProblem(sameToken.status === 'expired' ? 'step_up_expired' : 'step_up_used');
    },
  };
}
