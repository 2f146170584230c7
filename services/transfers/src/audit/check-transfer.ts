import { isDeepStrictEqual } from 'node:util';
import { toReceipt } from '../receipts/receipt.ts';
import { readStatement } from '../receipts/statement.ts';
import type { PublicKeys } from '../receipts/statement.ts';
import { entryHash, transferDigest } from '../transfers/transfer.ts';
import type { PostedTransfer } from '../transfers/transfer.ts';
import { transferRow } from './finding.ts';
import type { Finding } from './finding.ts';

/** The defects of one transfer: of its two entries, their hashes, and its receipt. */
export function checkTransfer(transfer: PostedTransfer, keys: PublicKeys): Finding[] {
  const defects: string[] = [];
  const [payer, payee] = transfer.entries;
  if (payer.accountId !== transfer.fromId || payee.accountId !== transfer.toId)
    defects.push('its entries are of other accounts');
  if (payer.amountMinor !== -transfer.amountMinor || payee.amountMinor !== transfer.amountMinor)
    defects.push('its entries have another amount');
  const digest = transferDigest(transfer);
  for (const entry of transfer.entries)
    if (entry.hash !== entryHash(entry, digest))
      defects.push(`entry ${entry.seq} of account ${entry.accountId} does not match its hash`);
  const receipt = readStatement(transfer.receipt, 'receipt+jws', keys);
  if (!receipt) defects.push('its receipt is not signed by a trusted key');
  else defects.push(...differences(receipt, toReceipt(transfer)));
  return defects.map((what) => ({ row: transferRow(transfer.id), what }));
}

const differences = (receipt: Record<string, unknown>, stored: Record<string, unknown>): string[] =>
  Object.keys({ ...receipt, ...stored })
    .filter((name) => !isDeepStrictEqual(receipt[name], stored[name]))
    .map((name) => `its ${name} is not that of its receipt`);
