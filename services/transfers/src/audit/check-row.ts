import { isDeepStrictEqual } from 'node:util';
import { type Account, toAccountStatement } from '../accounts/account.ts';
import { readStatement, type PublicKeys, type StatementType } from '../receipts/statement.ts';
import { toRow, type JournalDocument } from '../transfers/journal-document.ts';
import { toReceipt } from '../transfers/receipt.ts';
import { toExpiry, toRefusal } from '../transfers/refusal.ts';
import { entryHash, transferDigest, type PostedTransfer } from '../transfers/transfer.ts';
import type { RawDocument } from './ledger-reader-store.ts';
import { shapeDefects } from './shape.ts';
import { rowShapes } from './stored-shapes.ts';

/** The defects of one row of the journal. A row of another shape than it was written in is not looked at further. */
export function checkRow(document: RawDocument, keys: PublicKeys): string[] {
  const shape = rowShapes.get(document['status']);
  if (!shape) return ['it has an unknown status'];
  const defects = shapeDefects(document, shape);
  if (defects.length > 0) return defects;
  const stored = document as unknown as JournalDocument;
  const row = toRow(stored);
  if (row.status === 'posted') return [...lostIdempotency(document), ...checkTransfer(row, keys)];
  const { statement } = stored as { statement: string };
  if (row.status === 'refused')
    return [
      ...lostIdempotency(document),
      ...checkStatement(statement, { typ: 'refusal+jws', facts: toRefusal(row), keys }),
    ];
  return [
    ...(document['_id'] === `expired ${row.jti}` ? [] : ['its id is not that of its token']),
    ...checkStatement(statement, { typ: 'expiry+jws', facts: toExpiry(row.jti, stored.created_at), keys }),
  ];
}

/** A key without a fingerprint, or a fingerprint without a key, is read as none. */
const lostIdempotency = (document: RawDocument): string[] =>
  'idempotency_key' in document === 'request_fingerprint' in document
    ? []
    : ['only one of its idempotency_key and request_fingerprint is there'];

/** The defects of a transfer: of its two entries, their hashes, and its receipt. */
function checkTransfer(transfer: PostedTransfer, keys: PublicKeys): string[] {
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
  const facts = toReceipt(transfer);
  return [...defects, ...checkStatement(transfer.receipt, { typ: 'receipt+jws', facts, keys })];
}

/** What never changes about an account is as it was signed when the account was opened. */
export const checkOpening = (account: Account, statement: string, keys: PublicKeys): string[] =>
  checkStatement(statement, { typ: 'account+jws', facts: toAccountStatement(account), keys });

type Signed = { typ: StatementType; facts: Record<string, unknown>; keys: PublicKeys };

function checkStatement(statement: string, { typ, facts, keys }: Signed): string[] {
  const name = typ === 'receipt+jws' ? 'receipt' : 'statement';
  const signed = readStatement(statement, typ, keys);
  if (!signed) return [`its ${name} is not signed by a trusted key`];
  return Object.keys({ ...signed, ...facts })
    .filter((field) => !isDeepStrictEqual(signed[field], facts[field]))
    .map((field) => `its ${field} is not that of its ${name}`);
}
