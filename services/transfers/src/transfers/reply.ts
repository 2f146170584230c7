import { problem, unavailable } from '@comanda/contracts/problem';
import type { Transfer as TransferResponse } from '@comanda/contracts/transfers';
import type { Reply } from '@comanda/shared/http/reply';
import type { Consent } from '@comanda/shared/http/step-up';
import { withTimeLimit } from '@comanda/shared/runtime/time-limit';
import type { Result } from './journal-row.ts';
import { toTransferResponse } from './transfer.ts';

/** The response with a transfer. It has proof of the user's authorization, unless an earlier response is replayed. */
export type TransferReply = Reply<TransferResponse> & ({ consent: Consent } | { replayed: true });

/**
 * Returns the response with a transfer. `consent`: null if this request spent no token.
 * @throws the problem if the transfer was rejected
 */
export function reply({ row, replayed }: Result, consent: Consent | null): TransferReply {
  if (row.status === 'refused') {
    const headers = replayed ? { 'Idempotent-Replayed': 'true' } : {};
    throw row.paymentStatus === undefined
      ? problem('insufficient_funds', {}, headers)
      : problem('payment_not_payable', { payment_status: row.paymentStatus }, headers);
  }
  const proof = consent && !replayed ? { consent } : { replayed: true as const };
  const body = toTransferResponse(row);
  return { status: 201, body, headers: { Location: `/accounts/internal-transfers/${body.id}` }, ...proof };
}

/**
 * Waits for the response, but only until the time limit. The transfer continues after that.
 * @throws 503 with `outcome: "unknown"` after the time limit
 */
export function replyInTime(work: Promise<TransferReply>, timeLimitMs: number): Promise<TransferReply> {
  const onTimeout = () => unavailable({ outcome: 'unknown' });
  return withTimeLimit(work, { deadline: performance.now() + timeLimitMs, onTimeout });
}
