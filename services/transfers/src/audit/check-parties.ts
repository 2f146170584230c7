import { readAccountStatement, type AccountFacts } from '../accounts/account.ts';
import type { PublicKeys } from '@comanda/shared/crypto/statement';
import { partiesDefect } from '../transfers/check-parties.ts';
import { toTransfer, type PostedDocument } from '../transfers/journal-document.ts';
import type { PostedTransfer } from '../transfers/transfer.ts';
import { transferRow, type Finding } from './finding.ts';
import type { LedgerReader, RawDocument } from './ledger-reader-store.ts';
import { shapeDefects } from './shape.ts';
import { rowShapes } from './stored-shapes.ts';

const postedShape = rowShapes.get('posted') ?? {};
const isPosted = (row: RawDocument): boolean =>
  row['status'] === 'posted' && shapeDefects(row, postedShape).length === 0;

const maxRemembered = 100_000;

/**
 * Returns a function that finds posted rows with accounts that may not be their parties, according to the accounts' signed
 * statements. Missing and unsigned accounts are reported elsewhere, when the accounts are checked.
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
  /** Finds refunds among `transfers` that do not reverse their payment exactly. */
  async function* checkRefunds(transfers: readonly PostedTransfer[]): AsyncGenerator<Finding> {
    const refunds = transfers.filter(({ kind }) => kind === 'bill_refund');
    if (refunds.length === 0) return;
    const paid = new Map<number | null, PostedTransfer>();
    for await (const row of reader.findBillPayments(refunds.flatMap(({ paymentId }) => paymentId ?? [])))
      if (isPosted(row)) {
        const payment = toTransfer(row as unknown as PostedDocument);
        paid.set(payment.paymentId, payment);
      }
    for (const { id, paymentId, fromId, toId, amountMinor } of refunds) {
      const payment = paid.get(paymentId);
      const isReverse = payment?.fromId === toId && payment.toId === fromId && payment.amountMinor === amountMinor;
      if (!isReverse) yield { row: transferRow(id), what: 'it refunds what was not paid so' };
    }
  }
  return async function* checkParties(rows: readonly RawDocument[]): AsyncGenerator<Finding> {
    const posted = rows.filter(isPosted);
    const transfers = posted.map((row) => toTransfer(row as unknown as PostedDocument));
    await loadSigned([...new Set(transfers.flatMap(({ fromId, toId }) => [fromId, toId]))]);
    for (const transfer of transfers) {
      const [payer, payee] = [signed.get(transfer.fromId), signed.get(transfer.toId)];
      const what = payer && payee && partiesDefect(transfer, { payer, payee });
      if (what) yield { row: transferRow(transfer.id), what };
    }
    yield* checkRefunds(transfers);
  };
}
