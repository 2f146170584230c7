import { isCash } from '../accounts/account.ts';
import type { Account } from '../accounts/account.ts';
import { addMinor } from '../money.ts';
import type { Minor } from '../money.ts';
import { entryHash, transferDigest } from './transfer.ts';
import type { Leg, PostedTransfer, RefusedTransfer, TransferFacts, Wish } from './transfer.ts';

type Stamp = { id: number; now: Date; salt: string };
export type Decision =
  | { status: 'posted'; transfer: Omit<PostedTransfer, 'receipt'> }
  | { status: 'refused'; refusal: RefusedTransfer };

/**
 * What becomes of `wish`, given the accounts as they stand: posted with two entries, which `accounts` has from then on,
 * or refused with nothing changed. The house's cash accounts alone may go below zero.
 */
export function decide(wish: Wish, accounts: Map<number, Account>, { id, now, salt }: Stamp): Decision {
  const payer = accounts.get(wish.fromId);
  const payee = accounts.get(wish.toId);
  if (!payer || !payee) throw new Error('an account is gone');
  const { userId, call, amountMinor, kind, fromId, toId, currency, description } = wish;
  const { jti, pinVersion } = wish.consent;
  if (!isCash(payer) && payer.balanceMinor < amountMinor) {
    const refusal = { id, code: 'insufficient_funds' as const, userId, jti, pinVersion, call, createdAt: now };
    return { status: 'refused', refusal };
  }
  const who = { kind, userId, jti, pinVersion, call };
  const what: TransferFacts = { id, ...who, fromId, toId, amountMinor, currency, description, createdAt: now, salt };
  const digest = transferDigest(what);
  const legs = [nextLeg(payer, -amountMinor, digest), nextLeg(payee, amountMinor, digest)] as const;
  accounts.set(payer.id, movedTo(payer, legs[0]));
  accounts.set(payee.id, movedTo(payee, legs[1]));
  return { status: 'posted', transfer: { ...what, legs } };
}

function nextLeg(account: Account, amountMinor: Minor, digest: string): Leg {
  const balanceMinor = addMinor(account.balanceMinor, amountMinor);
  const leg = { accountId: account.id, seq: account.seq + 1, amountMinor, balanceMinor, prev: account.hash };
  return { ...leg, hash: entryHash(leg, digest) };
}

const movedTo = (account: Account, { seq, balanceMinor, hash }: Leg): Account => ({
  ...account,
  seq,
  balanceMinor,
  hash,
});
