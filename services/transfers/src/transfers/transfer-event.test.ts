import { expect, test } from '@jest/globals';
import { toStoredEvent, traceOf, transferPostedEvent } from './transfer-event.ts';
import type { PostedTransfer } from './transfer.ts';

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const entry = { accountId: 1, seq: 1, amountMinor: 100n, balanceMinor: 100n, prev: 'p', hash: 'h' };
const transfer: PostedTransfer = {
  status: 'posted',
  id: 42,
  kind: 'internal_transfer',
  paymentId: null,
  fromId: 1,
  toId: 2,
  amountMinor: 100n,
  currency: 'BRL',
  description: null,
  userId: 7,
  jti: 'j',
  pinVersion: 1,
  consent: 'a.b.c',
  idempotency: null,
  createdAt: new Date(0),
  salt: 's',
  entries: [entry, entry],
  receipt: 'receipt.of.42',
};

test("a stored event contains only the trace, which its row doesn't have", () => {
  const event = transferPostedEvent(transfer, { parties: [], traceparent });
  const stored = toStoredEvent(event);

  expect(event.body).toContain('receipt.of.42');
  expect(stored).toEqual({ ...event, body: JSON.stringify({ traceparent }) });
  expect([traceOf(stored.body), traceOf(event.body)]).toEqual([traceparent, traceparent]);
});
