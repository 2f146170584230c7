import type { ClusterTime } from '@comanda/shared/mongo/cluster-time';
import type { SignedHead } from '../checkpoints/checkpoint.ts';
import { commitMargin } from '../checkpoints/make-checkpoints.ts';
import { genesisHash, isCash, type Account } from '../accounts/account.ts';
import type { Entry } from '../transfers/transfer.ts';
import { accountRow, transferRow, type Finding } from './finding.ts';

/** An entry with its transfer's id. `hasConsent`: true if the transfer has an authorization. */
export type ChainEntry = Entry & { transferId: unknown; hasConsent: boolean };
/** A signed head: an account's newest entry when a checkpoint signed it, with the checkpoint's number. */
export type NumberedHead = SignedHead & { checkpoint: number };
export type StoredAccount = Account & { statement: string; written: ClusterTime };
type Chain = {
  account: StoredAccount;
  /** The account's entries, sorted by `seq`. */
  entries: AsyncIterable<ChainEntry>;
  /** The account's signed heads, sorted by `seq`: its newest entry at the time of each checkpoint. */
  signedHeads: AsyncIterable<NumberedHead>;
  /**
   * The last checkpoint with transfers from before authorizations were stored; 0 for none. Later transfers must have an
   * authorization.
   */
  withoutConsentUntil: number;
  /** Checkpoints have signed everything that was committed before this time. */
  completeUntil: ClusterTime;
};
type Head = Pick<Entry, 'seq' | 'balanceMinor' | 'hash'>;

/** Returns the first defect in an account's chain of entries; null if there is none. */
export async function checkChain(chain: Chain): Promise<Finding | null> {
  const { account, entries, signedHeads, completeUntil } = chain;
  const heads = signedHeads[Symbol.asyncIterator]();
  let head = await heads.next();
  let newestSigned: SignedHead | null = null;
  let previous: Head = { seq: 0, balanceMinor: 0n, hash: genesisHash(account) };
  let finding: Finding | null = null;
  async function compareWithSigned(row: string, name: string): Promise<void> {
    for (; !head.done && head.value.seq <= previous.seq; head = await heads.next()) {
      newestSigned = head.value;
      if (newestSigned.seq === previous.seq && newestSigned.hash !== previous.hash)
        finding ??= { row, what: `${name} is not the one that a checkpoint signed` };
    }
  }
  await compareWithSigned(accountRow(account.id), 'what never changes about it');
  // Reads all entries even after a finding, because the next account's entries follow in the same stream.
  for await (const entry of entries) {
    finding ??= checkEntry(previous, entry, account);
    // All signed heads before this entry have been compared, so the next signed head is the first that covers this entry.
    const signedIn = head.done ? Number.POSITIVE_INFINITY : head.value.checkpoint;
    if (signedIn > chain.withoutConsentUntil) finding ??= checkConsentKept(entry);
    previous = entry;
    await compareWithSigned(transferRow(entry.transferId), `entry ${entry.seq} of account ${account.id}`);
  }
  finding ??= checkHead(account, previous);
  if (!head.done) {
    const what = `a checkpoint signed entry ${head.value.seq}, which does not exist`;
    finding ??= { row: accountRow(account.id), what };
    while (!head.done) head = await heads.next();
  }
  return finding ?? checkSigned(account, newestSigned, completeUntil);
}

function checkEntry(previous: Head, entry: ChainEntry, account: Account): Finding | null {
  const name = `entry ${entry.seq} of account ${account.id}`;
  const inTransfer = (what: string): Finding => ({ row: transferRow(entry.transferId), what });
  if (entry.seq !== previous.seq + 1) {
    const missing = `entry ${previous.seq + 1} is missing before entry ${entry.seq}`;
    return entry.seq > previous.seq
      ? { row: accountRow(account.id), what: missing }
      : inTransfer(`${name} exists twice`);
  }
  if (entry.prev !== previous.hash) return inTransfer(`${name} does not follow from the entry before it`);
  if (entry.balanceMinor !== previous.balanceMinor + entry.amountMinor)
    return inTransfer(`the balance of ${name} does not add up`);
  if (entry.balanceMinor < 0n && !isCash(account)) return inTransfer(`the balance of ${name} is negative`);
  return null;
}

/** Reports a missing authorization. Of the transfer's two entries, only the payer's causes a report. */
const checkConsentKept = ({ transferId, amountMinor, hasConsent }: ChainEntry): Finding | null =>
  hasConsent || amountMinor > 0n ? null : { row: transferRow(transferId), what: 'it has no consent' };

function checkHead(account: Account, newest: Head): Finding | null {
  const inAccount = (what: string): Finding => ({ row: accountRow(account.id), what });
  if (account.seq > newest.seq) return inAccount(`its newest entry, ${account.seq}, is missing`);
  if (account.seq < newest.seq) return inAccount(`its head is entry ${account.seq}, but entry ${newest.seq} exists`);
  if (account.hash !== newest.hash) return inAccount('its head does not have the hash of its newest entry');
  if (account.balanceMinor !== newest.balanceMinor) return inAccount('its balance is not that of its newest entry');
  return null;
}

/**
 * Checks that a checkpoint has signed the account's newest entry. Only an entry that is too new for all checkpoints may be
 * unsigned.
 */
function checkSigned(
  account: StoredAccount,
  newestSigned: SignedHead | null,
  completeUntil: ClusterTime,
): Finding | null {
  const isSigned = newestSigned?.seq === account.seq;
  if (isSigned && newestSigned?.written !== account.written)
    return { row: accountRow(account.id), what: 'its written is not the one that a checkpoint signed' };
  if (!isSigned && account.written < completeUntil - commitMargin)
    return { row: accountRow(account.id), what: `no checkpoint has signed its newest entry, ${account.seq}` };
  return null;
}
