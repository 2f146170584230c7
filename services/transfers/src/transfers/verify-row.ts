import { problem, type Problem } from '@comanda/contracts/problem';
import type { Logger } from '@comanda/shared/runtime/logger';
import { statementDefects } from '../receipts/statement-defects.ts';
import type { PublicKeys } from '@comanda/shared/crypto/statement';
import type { DecidedRow, Row } from './journal-row.ts';
import { toReceipt } from './receipt.ts';
import { toRefusal } from './refusal.ts';
import { entryHash, transferDigest, type PostedTransfer } from './transfer.ts';

/**
 * Returns `row` if it matches its signature.
 * @throws 503 `service_unavailable` otherwise, so that nothing is read from a row that the service has not written
 */
export type VerifyRow = <R extends Row>(row: R) => R;

type Options = { trusted: () => PublicKeys; logger: Logger; countDefect?: () => void };

export function createRowVerifier({ trusted, logger, countDefect }: Options): VerifyRow {
  return (row) => {
    if (row.status === 'expired' || isAsWritten(row, trusted())) return row;
    logger.error({ transfer: row.id }, 'a row of the journal is not as it was written; run verify-ledger');
    countDefect?.();
    throw notAsWritten();
  };
}

/** Returns true if the row matches its signature. Returns false if a field's type prevents the comparison. */
function isAsWritten(row: DecidedRow, keys: PublicKeys): boolean {
  try {
    return rowDefects(row, keys).length === 0;
  } catch {
    return false;
  }
}

/** Returns the differences between a row and its signed receipt or statement. */
export function rowDefects(row: DecidedRow, keys: PublicKeys): string[] {
  if (row.status === 'refused')
    return statementDefects(row.statement, { typ: 'refusal+jws', facts: toRefusal(row), keys });
  const facts = toReceipt(row);
  return [...entryDefects(row), ...statementDefects(row.receipt, { typ: 'receipt+jws', facts, keys })];
}

function entryDefects(transfer: PostedTransfer): string[] {
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
  return defects;
}

const notAsWritten = (): Problem =>
  problem(
    'service_unavailable',
    { detail: "A transfer doesn't match its signed row. An operator must verify the ledger." },
    { 'Retry-After': '60' },
  );
