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

const traceForm = /"traceparent":"(00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2})"/;
const noTrace = `00-${'0'.repeat(31)}1-${'0'.repeat(15)}1-00`;
/** The trace in the text of an event, or in what is stored of it. */
export const traceOf = (body: string): string => traceForm.exec(body)?.[1] ?? noTrace;

/**
 * What is stored of an event until it is published: its trace. All else is made again from the row; the whole text, with the
 * receipt, would be as large as the rest of the row.
 */
export const toStoredEvent = (event: Message): Message => ({
  ...event,
  body: JSON.stringify({ traceparent: traceOf(event.body) }),
});

/** A UUID of version 8 [RFC 9562] of the receipt. */
function eventIdOf({ receipt }: PostedTransfer): string {
  const digest = hash('sha256', `transfer.posted\n${receipt}`);
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  return [...parts, digest.slice(20, 32)].join('-');
}
