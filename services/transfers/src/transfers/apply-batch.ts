import { randomBytes } from 'node:crypto';
import { Problem } from '@comanda/contracts/problem';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Account } from '../accounts/account.ts';
import type { Signer } from '@comanda/shared/crypto/statement';
import { applyTransfer, type AppliedTransfer } from './apply-transfer.ts';
import { createRowIndex, identityOf, type Answer, type DecidedRow, type Decision } from './journal-row.ts';
import { signReceipt } from './receipt.ts';
import { signRefusal } from './refusal.ts';
import type { TransferCommand } from './transfer.ts';
import { transferPostedEvent } from './transfer-event.ts';

/** What one transaction is to write for several commands, and the answer to each command, before it is signed. */
type AppliedBatch = {
  applied: (AppliedTransfer & { command: TransferCommand })[];
  changed: Account[];
  answers: Map<TransferCommand, Answer<Decision> | Problem>;
};
/** A row to be inserted, with its events. */
export type NewRow = { row: DecidedRow; messages: Message[] };
export type SignedBatch = { rows: NewRow[]; answers: Map<TransferCommand, Answer | Problem> };
/** `ids`: a command keeps its id when it is tried again. */
type Stamp = { now: Date; ids: Pick<ReadonlyMap<TransferCommand, number>, 'get'> };

/** Decides `commands` in their order. One token and one idempotency key have one effect, also within a batch. */
export function applyBatch(
  commands: readonly TransferCommand[],
  before: ReadonlyMap<number, Account>,
  { now, ids }: Stamp,
): AppliedBatch {
  const accounts = new Map(before);
  const index = createRowIndex<Decision>();
  const applied: AppliedBatch['applied'] = [];
  const answers: AppliedBatch['answers'] = new Map();
  for (const command of commands) {
    const earlier = index.findAnswer(identityOf(command));
    if (earlier) {
      answers.set(command, earlier);
      continue;
    }
    const id = ids.get(command);
    if (id === undefined) throw new Error('a command has no id');
    const salt = randomBytes(16).toString('base64url');
    const { decision, changed } = applyTransfer(command, accounts, { id, now, salt });
    for (const account of changed) accounts.set(account.id, account);
    index.add(decision);
    applied.push({ command, decision, changed });
    answers.set(command, { row: decision, replayed: false });
  }
  return { applied, changed: changedOf(before, accounts), answers };
}

/** The rows of the batch with their signatures and events, in the order of the decisions. */
export function signBatch({ applied, answers }: AppliedBatch, signer: Signer): SignedBatch {
  const rows = new Map(applied.map((each) => [each.decision, signRow(each, signer)]));
  const signedAnswer = ({ row: decision, replayed }: Answer<Decision>): Answer => {
    const signed = rows.get(decision);
    if (!signed) throw new Error('an answer has no row');
    return { row: signed.row, replayed };
  };
  return {
    rows: [...rows.values()],
    answers: new Map(
      [...answers].map(([command, answer]) => [command, answer instanceof Problem ? answer : signedAnswer(answer)]),
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
