import { isDeepStrictEqual } from 'node:util';
import { toReceipt } from '../receipts/receipt.ts';
import { readStatement } from '../receipts/statement.ts';
import type { PublicKeys } from '../receipts/statement.ts';
import { entryHash, transferDigest } from '../transfers/transfer.ts';
import type { PostedTransfer } from '../transfers/transfer.ts';
import { transferRow } from './finding.ts';
import type { Finding } from './finding.ts';

/** What is wrong with one transfer by itself: its two entries, their hashes, and the receipt that was given for it. */
export function checkTransfer(transfer: PostedTransfer, keys: PublicKeys): Finding[] {
  const wrong: string[] = [];
  const [pays, receives] = transfer.legs;
  if (pays.accountId !== transfer.fromId || receives.accountId !== transfer.toId)
    wrong.push('its entries are of other accounts than it says');
  if (pays.amountMinor !== -transfer.amountMinor || receives.amountMinor !== transfer.amountMinor)
    wrong.push('its entries are of another amount than it says');
  const digest = transferDigest(transfer);
  for (const leg of transfer.legs)
    if (leg.hash !== entryHash(leg, digest))
      wrong.push(`the hash of entry ${leg.seq} of account ${leg.accountId} is not that of what it says`);
  const receipt = readStatement(transfer.receipt, 'receipt+jws', keys);
  if (!receipt) wrong.push('its receipt is not signed by a key of the house');
  else wrong.push(...differences(receipt, toReceipt(transfer)));
  return wrong.map((what) => ({ row: transferRow(transfer.id), what }));
}

const differences = (receipt: Record<string, unknown>, now: Record<string, unknown>): string[] =>
  Object.keys({ ...receipt, ...now })
    .filter((name) => !isDeepStrictEqual(receipt[name], now[name]))
    .map((name) => `its ${name} is not what its receipt says`);
