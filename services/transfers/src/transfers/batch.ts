import { randomBytes } from 'node:crypto';
import { Problem } from '@comanda/contracts/problems';
import { messagesOf } from '@comanda/shared/messaging/new-message';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Account } from '../accounts/account.ts';
import { signReceipt } from '../receipts/receipt.ts';
import type { Signer } from '../receipts/statement.ts';
import { decide } from './decide.ts';
import { createRowIndex, whoWishes } from './journal-row.ts';
import type { Final, FinalRow } from './journal-row.ts';
import type { Move, NewRow } from './journal-store.ts';
import { toTransferAnswer } from './transfer.ts';
import type { PostedTransfer, Wish } from './transfer.ts';

/** Wishes that were decided together: what is to be written in one transaction, and each one's answer. */
export type Batch = { rows: NewRow[]; moves: Move[]; answers: Map<Wish, Final | Problem> };
/** `idOf` gives a wish the same id however often it is decided. */
type Stamp = { now: Date; idOf: (wish: Wish) => number; signer: Signer };

/** Decides `wishes` in their order; one token or one key has one effect, also within the batch. */
export function decideBatch(wishes: readonly Wish[], found: ReadonlyMap<number, Account>, stamp: Stamp): Batch {
  const accounts = new Map(found);
  const known = createRowIndex();
  const rows: NewRow[] = [];
  const answers: Batch['answers'] = new Map();
  for (const wish of wishes) {
    const earlier = known.answer(whoWishes(wish));
    if (earlier) {
      answers.set(wish, earlier);
      continue;
    }
    const row = toRow(wish, accounts, stamp);
    known.add(row);
    rows.push({ row, messages: row.status === 'posted' ? [tell(row.transfer, wish, accounts)] : [] });
    answers.set(wish, { row, replayed: false });
  }
  return { rows, moves: movesOf(found, accounts), answers };
}

function toRow(wish: Wish, accounts: Map<number, Account>, { now, idOf, signer }: Stamp): FinalRow {
  const salt = randomBytes(16).toString('base64url');
  const decision = decide(wish, accounts, { id: idOf(wish), now, salt });
  if (decision.status === 'refused') return decision;
  const { transfer } = decision;
  return { status: 'posted', transfer: { ...transfer, receipt: signReceipt(transfer, signer) } };
}

const movesOf = (found: ReadonlyMap<number, Account>, after: ReadonlyMap<number, Account>): Move[] =>
  [...found.values()].flatMap((before): Move[] => {
    const account = after.get(before.id);
    return account && account.seq !== before.seq ? [{ before, after: account }] : [];
  });

const newMessage = messagesOf('/transfers');

/** `transfer.posted`, for the owners of both accounts and nobody else. */
function tell(transfer: PostedTransfer, { traceparent }: Wish, accounts: ReadonlyMap<number, Account>): Message {
  const owners = [transfer.fromId, transfer.toId].flatMap((id) => accounts.get(id)?.ownerId ?? []);
  return newMessage('transfer.posted', {
    subject: String(transfer.id),
    at: transfer.createdAt,
    traceparent,
    data: { transfer: toTransferAnswer(transfer), party_ids: [...new Set(owners)] },
  });
}
