import { randomBytes } from 'node:crypto';
import type { Problem } from '@comanda/contracts/problem';
import { messagesOf } from '@comanda/shared/messaging/new-message';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Account } from '../accounts/account.ts';
import { signReceipt } from '../receipts/receipt.ts';
import { signRefusal } from '../receipts/refusal.ts';
import type { Signer } from '../receipts/statement.ts';
import { applyTransfer } from './apply-transfer.ts';
import { createRowIndex, identityOf } from './journal-row.ts';
import type { FinalAnswer, NewRow } from './journal-row.ts';
import { toTransferResponse } from './transfer.ts';
import type { PostedTransfer, TransferCommand } from './transfer.ts';

/** What one transaction is to write for several commands, and the answer to each command. */
export type AppliedBatch = {
  rows: NewRow[];
  changed: Account[];
  answers: Map<TransferCommand, FinalAnswer | Problem>;
};
/** `ids`: a command keeps its id when it is tried again. */
type Stamp = { now: Date; ids: Pick<ReadonlyMap<TransferCommand, number>, 'get'>; signer: Signer };

/** Decides `commands` in their order. One token and one idempotency key have one effect, also within a batch. */
export function applyBatch(
  commands: readonly TransferCommand[],
  before: ReadonlyMap<number, Account>,
  stamp: Stamp,
): AppliedBatch {
  const accounts = new Map(before);
  const index = createRowIndex();
  const rows: NewRow[] = [];
  const answers: AppliedBatch['answers'] = new Map();
  for (const command of commands) {
    const earlier = index.findAnswer(identityOf(command));
    if (earlier) {
      answers.set(command, earlier);
      continue;
    }
    const newRow = applyCommand(command, accounts, stamp);
    index.add(newRow.row);
    rows.push(newRow);
    answers.set(command, { row: newRow.row, replayed: false });
  }
  return { rows, changed: changedOf(before, accounts), answers };
}

/** The row for `command`, with its event. Replaces the changed accounts in `accounts`. */
function applyCommand(command: TransferCommand, accounts: Map<number, Account>, { now, ids, signer }: Stamp): NewRow {
  const id = ids.get(command);
  if (id === undefined) throw new Error('a command has no id');
  const salt = randomBytes(16).toString('base64url');
  const applied = applyTransfer(command, accounts, { id, now, salt });
  if (applied.status === 'refused') {
    const refusal = { ...applied.refusal, statement: signRefusal(applied.refusal, signer) };
    return { row: { status: 'refused', refusal }, messages: [] };
  }
  const { transfer, changed } = applied;
  for (const account of changed) accounts.set(account.id, account);
  const posted = { ...transfer, receipt: signReceipt(transfer, signer) };
  const event = transferPostedEvent(posted, { parties: changed, traceparent: command.traceparent });
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
