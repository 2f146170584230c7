import { randomBytes } from 'node:crypto';
import { Problem } from '@comanda/contracts/problem';
import { messagesOf } from '@comanda/shared/messaging/new-message';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Account } from '../accounts/account.ts';
import { signReceipt } from '../receipts/receipt.ts';
import { signRefusal } from '../receipts/refusal.ts';
import type { Signer } from '../receipts/statement.ts';
import { applyTransfer } from './apply-transfer.ts';
import type { AppliedTransfer } from './apply-transfer.ts';
import { createRowIndex, identityOf } from './journal-row.ts';
import type { FinalAnswer, NewRow, RowAnswer } from './journal-row.ts';
import { toTransferResponse } from './transfer.ts';
import type { PostedTransfer, TransferCommand } from './transfer.ts';

/** What one transaction is to write for several commands, and the answer to each command, before it is signed. */
export type AppliedBatch = {
  decisions: { command: TransferCommand; applied: AppliedTransfer }[];
  changed: Account[];
  answers: Map<TransferCommand, RowAnswer<AppliedTransfer> | Problem>;
};
export type SignedBatch = { rows: NewRow[]; answers: Map<TransferCommand, FinalAnswer | Problem> };
/** `ids`: a command keeps its id when it is tried again. */
type Stamp = { now: Date; ids: Pick<ReadonlyMap<TransferCommand, number>, 'get'> };

/** Decides `commands` in their order. One token and one idempotency key have one effect, also within a batch. */
export function applyBatch(
  commands: readonly TransferCommand[],
  before: ReadonlyMap<number, Account>,
  { now, ids }: Stamp,
): AppliedBatch {
  const accounts = new Map(before);
  const index = createRowIndex<AppliedTransfer>();
  const decisions: AppliedBatch['decisions'] = [];
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
    const applied = applyTransfer(command, accounts, { id, now, salt });
    if (applied.status === 'posted') for (const account of applied.changed) accounts.set(account.id, account);
    index.add(applied);
    decisions.push({ command, applied });
    answers.set(command, { row: applied, replayed: false });
  }
  return { decisions, changed: changedOf(before, accounts), answers };
}

/** The rows of the batch with their signatures and events, in the order of the decisions. */
export function signBatch({ decisions, answers }: AppliedBatch, signer: Signer): SignedBatch {
  const rows = new Map(decisions.map(({ command, applied }) => [applied, signRow(applied, command, signer)]));
  const signedAnswer = ({ row, replayed }: RowAnswer<AppliedTransfer>): FinalAnswer => {
    const signed = rows.get(row);
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

function signRow(applied: AppliedTransfer, { traceparent }: TransferCommand, signer: Signer): NewRow {
  if (applied.status === 'refused') {
    const refusal = { ...applied.refusal, statement: signRefusal(applied.refusal, signer) };
    return { row: { status: 'refused', refusal }, messages: [] };
  }
  const { transfer, changed } = applied;
  const posted = { ...transfer, receipt: signReceipt(transfer, signer) };
  const event = transferPostedEvent(posted, { parties: changed, traceparent });
  return { row: { status: 'posted', transfer: posted }, messages: [event] };
}

const changedOf = (before: ReadonlyMap<number, Account>, after: ReadonlyMap<number, Account>): Account[] =>
  [...after.values()].filter(({ id, seq }) => seq !== before.get(id)?.seq);

const newMessage = messagesOf('/transfers');

/** `transfer.posted`, for the owners of both accounts and nobody else. */
function transferPostedEvent(
  transfer: PostedTransfer,
  { parties, traceparent }: { parties: readonly Account[]; traceparent: string },
): Message {
  const owners = parties.flatMap(({ ownerId }) => ownerId ?? []);
  return newMessage('transfer.posted', {
    subject: String(transfer.id),
    at: transfer.createdAt,
    traceparent,
    data: { transfer: toTransferResponse(transfer), party_ids: [...new Set(owners)] },
  });
}
