import { isCash, type Account } from '../accounts/account.ts';
import { addMinor, type Minor } from '../money.ts';
import { partiesDefect } from './check-parties.ts';
import type { Decision } from './journal-row.ts';
import { entryHash, transferDigest, type Entry, type TransferCommand, type TransferFacts } from './transfer.ts';

type Stamp = { now: Date; salt: string };
/** A decision about a transfer. `changed`: both accounts after a posted transfer; empty after a rejection. */
export type AppliedTransfer = { decision: Decision; changed: readonly Account[] };

/**
 * Decides `command`. Posts the transfer, with two entries and the new state of both accounts, or rejects it. Only cash accounts
 * can have a negative balance. The caller must have verified `accounts`.
 * @throws Error if an account does not exist, or if the accounts may not be the parties of this transfer
 */
export function applyTransfer(
  command: TransferCommand,
  accounts: ReadonlyMap<number, Account>,
  { now, salt }: Stamp,
): AppliedTransfer {
  const payer = accounts.get(command.fromId);
  const payee = accounts.get(command.toId);
  if (!payer || !payee) throw new Error('an account of this transfer does not exist');
  const defect = partiesDefect(command, { payer, payee });
  if (defect) throw new Error(`this transfer cannot be posted: ${defect}`);
  const { transferId: id, consent, traceparent: _traceparent, refusal, ...terms } = command;
  const { jti, pinVersion, jws } = consent;
  const { userId, idempotency, amountMinor } = terms;
  const isShort = !isCash(payer) && payer.balanceMinor < amountMinor;
  if (refusal || isShort) {
    const because = refusal ?? ({ code: 'insufficient_funds' } as const);
    const decision = {
      status: 'refused',
      id,
      ...because,
      userId,
      jti,
      pinVersion,
      idempotency,
      createdAt: now,
    } as const;
    return { decision, changed: [] };
  }
  const facts: TransferFacts = { ...terms, id, jti, pinVersion, consent: jws, createdAt: now, salt };
  const digest = transferDigest(facts);
  const entries = [nextEntry(payer, -amountMinor, digest), nextEntry(payee, amountMinor, digest)] as const;
  return {
    decision: { status: 'posted', ...facts, entries },
    changed: [withEntry(payer, entries[0]), withEntry(payee, entries[1])],
  };
}

function nextEntry(account: Account, amountMinor: Minor, digest: string): Entry {
  const balanceMinor = addMinor(account.balanceMinor, amountMinor);
  const entry = { accountId: account.id, seq: account.seq + 1, amountMinor, balanceMinor, prev: account.hash };
  return { ...entry, hash: entryHash(entry, digest) };
}

const withEntry = (account: Account, { seq, balanceMinor, hash }: Entry): Account => ({
  ...account,
  seq,
  balanceMinor,
  hash,
});
