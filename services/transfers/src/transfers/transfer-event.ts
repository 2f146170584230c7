import { hash } from 'node:crypto';
import { messagesOf } from '@comanda/shared/messaging/new-message';
import type { Message } from '@comanda/shared/messaging/publisher';
import { isTakings, type AccountFacts } from '../accounts/account.ts';
import { toTransferResponse, type PostedTransfer } from './transfer.ts';

const newMessage = messagesOf('/transfers');

/**
 * `transfer.posted`, for the owners of both accounts (`parties`: the payer first) and nobody else. All of it but the
 * trace follows from what is signed, so that it can be made again.
 */
export function transferPostedEvent(
  transfer: PostedTransfer,
  { parties, traceparent }: { parties: readonly Pick<AccountFacts, 'ownerId' | 'purpose'>[]; traceparent: string },
): Message {
  const owners = parties.flatMap((party) => (isTakings(party) ? [] : (party.ownerId ?? [])));
  return newMessage('transfer.posted', {
    id: eventIdOf(transfer),
    subject: String(transfer.id),
    at: transfer.createdAt,
    traceparent,
    data: { transfer: toTransferResponse(transfer), party_ids: [...new Set(owners)] },
  });
}

/** A UUID of version 8 [RFC 9562] of the receipt. */
function eventIdOf({ receipt }: PostedTransfer): string {
  const digest = hash('sha256', `transfer.posted\n${receipt}`);
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  return [...parts, digest.slice(20, 32)].join('-');
}
