import { hash } from 'node:crypto';
import { messagesOf } from '@comanda/shared/messaging/new-message';
import type { Message } from '@comanda/shared/messaging/publisher';
import { isTakings, type AccountFacts } from '../accounts/account.ts';
import { toTransferResponse, type PostedTransfer } from './transfer.ts';

const newMessage = messagesOf('/transfers');

/**
 * Creates the event `transfer.posted`, which only the owners of both accounts receive. `parties`: both accounts, the payer's
 * first. Everything in the event except the trace can be created again from the signed row.
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
/** Returns the trace from an event's text, or from the part of the text that is stored. */
export const traceOf = (body: string): string => traceForm.exec(body)?.[1] ?? noTrace;

/**
 * Returns the part of an event that is stored until it is published: only its trace. The rest is created again from the row,
 * because the complete text, with the receipt, would double the size of the row.
 */
export const toStoredEvent = (event: Message): Message => ({
  ...event,
  body: JSON.stringify({ traceparent: traceOf(event.body) }),
});

/** Returns an event id derived from the receipt: a UUID of version 8 [RFC 9562]. */
function eventIdOf({ receipt }: PostedTransfer): string {
  const digest = hash('sha256', `transfer.posted\n${receipt}`);
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  return [...parts, digest.slice(20, 32)].join('-');
}
