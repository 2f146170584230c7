import { randomBytes } from 'node:crypto';
import { Problem } from '@comanda/contracts/problem';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Account } from '../accounts/account.ts';
import type { Signer } from '@comanda/shared/crypto/statement';
import { applyTransfer, type AppliedTransfer } from './apply-transfer.ts';
import { createRowIndex, identityOf, type DecidedRow, type Decision, type Result } from './journal-row.ts';
import { signReceipt } from './receipt.ts';
import { signRefusal } from './refusal.ts';
import type { TransferCommand } from './transfer.ts';
import { transferPostedEvent } from './transfer-event.ts';

/** The decisions on one batch's commands before they are signed, and the accounts that they change. */
type AppliedBatch = {
  applied: (AppliedTransfer & { command: TransferCommand })[];
  changed: Account[];
  /** The result of each command, by transfer id. */
  results: Map<number, Result<Decision> | Problem>;
};
/** A row to insert, with its events. */
export type NewRow = { row: DecidedRow; messages: Message[] };
/** The signed rows, and the result of each command by transfer id. */
export type SignedBatch = { rows: NewRow[]; results: Map<number, Result | Problem> };

/** Decides `commands` in their order. A token or idempotency key takes effect only once, even within a batch. */
export function applyBatch(
  commands: readonly TransferCommand[],
  before: ReadonlyMap<number, Account>,
  now: Date,
): AppliedBatch {
  const accounts = new Map(before);
  const index = createRowIndex<Decision>();
  const applied: AppliedBatch['applied'] = [];
  const results: AppliedBatch['results'] = new Map();
  for (const command of commands) {
    const earlier = index.findResult(identityOf(command));
    if (earlier) {
      results.set(command.transferId, earlier);
      continue;
    }
    const salt = randomBytes(16).toString('base64url');
    const { decision, changed } = applyTransfer(command, accounts, { now, salt });
    for (const account of changed) accounts.set(account.id, account);
    index.add(decision);
    applied.push({ command, decision, changed });
    results.set(command.transferId, { row: decision, replayed: false });
  }
  return { applied, changed: changedOf(before, accounts), results };
}

/** Signs the batch's rows and creates their events. Returns the rows in the order of the decisions. */
export function signBatch({ applied, results }: AppliedBatch, signer: Signer): SignedBatch {
  const rows = new Map(applied.map((each) => [each.decision.id, signRow(each, signer)]));
  const signedResult = ({ row: { id }, replayed }: Result<Decision>): Result => {
    const signed = rows.get(id);
    if (!signed) throw new Error('a result has no row');
    return { row: signed.row, replayed };
  };
  return {
    rows: [...rows.values()],
    results: new Map(
      [...results].map(([id, result]) => [id, result instanceof Problem ? result : signedResult(result)]),
    ),
  };
}

function signRow({ decision, changed, command }: AppliedBatch['applied'][number], signer: Signer): NewRow {
  if (decision.status === 'refused')
    return { row: { ...decision, statement: signRefusal(decision, signer) }, messages: [] };
  const row = { ...decision, receipt: signReceipt(decision, signer) };
  return { row, messages: [transferPostedEvent(row, { parties: changed, traceparent: command.traceparent })] };
}

const changedOf = (before: ReadonlyMap<number, Account>, after: ReadonlyMap<number, Account>): Account[] =>
  [...after.values()].filter(({ id, seq }) => seq !== before.get(id)?.seq);
