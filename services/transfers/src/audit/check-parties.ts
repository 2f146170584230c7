import { readAccountStatement, type AccountFacts } from '../accounts/account.ts';
import type { PublicKeys } from '@comanda/shared/crypto/statement';
import { partiesDefect } from '../transfers/check-parties.ts';
import { toTransfer, type PostedDocument } from '../transfers/journal-document.ts';
import { transferRow, type Finding } from './finding.ts';
import type { LedgerReader, RawDocument } from './ledger-reader-store.ts';
import { shapeDefects } from './shape.ts';
import { rowShapes } from './stored-shapes.ts';

const maxRemembered = 100_000;

/**
 * Returns a function that finds posted rows whose accounts, as their statements say, cannot be the parties. An account
 * that does not exist, or that nobody signed, is found with the accounts.
 */
export function createPartiesCheck(reader: LedgerReader, keys: PublicKeys) {
  const signed = new Map<number, AccountFacts | null>();
  async function loadSigned(ids: readonly number[]): Promise<void> {
    if (signed.size > maxRemembered) signed.clear();
    const missing = ids.filter((id) => !signed.has(id));
    if (missing.length === 0) return;
    for await (const { _id: id, statement } of reader.findStatements(missing))
      signed.set(Number(id), typeof statement === 'string' ? readAccountStatement(statement, keys) : null);
  }
  return async function* checkParties(rows: readonly RawDocument[]): AsyncGenerator<Finding> {
    const shape = rowShapes.get('posted') ?? {};
    const posted = rows.filter((row) => row['status'] === 'posted' && shapeDefects(row, shape).length === 0);
    const transfers = posted.map((row) => toTransfer(row as unknown as PostedDocument));
    await loadSigned([...new Set(transfers.flatMap(({ fromId, toId }) => [fromId, toId]))]);
    for (const transfer of transfers) {
      const [payer, payee] = [signed.get(transfer.fromId), signed.get(transfer.toId)];
      const what = payer && payee && partiesDefect(transfer, { payer, payee });
      if (what) yield { row: transferRow(transfer.id), what };
    }
  };
}
