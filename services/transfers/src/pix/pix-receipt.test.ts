import { expect, test } from '@jest/globals';
import type { BankPix } from './bank.ts';
import { returnedByBank, type PixReceipt } from './pix-receipt.ts';

test.each([
  { what: 'a refund of ours that is done', id: 'R1', status: 'done', minor: 0n },
  { what: 'a refund of ours under way', id: 'R1', status: 'processing', minor: 0n },
  { what: 'a refund of ours that counted as failed', id: 'R1', status: 'failed', minor: 500n },
  { what: "a refund that the bank's app made", id: 'D1', status: 'done', minor: 500n },
])('$what counts as returned by the bank itself with $minor', ({ id, status, minor }) => {
  const receipt = { refunds: [{ id: 'R1', status }] } as unknown as PixReceipt;
  const pix = { returns: [{ id, amountMinor: 500n, status: 'DEVOLVIDO' }] } as unknown as BankPix;
  expect(returnedByBank(receipt, pix)).toBe(minor);
});
