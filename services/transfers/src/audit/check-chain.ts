import type { SignedHead } from '../checkpoints/checkpoint.ts';
import { genesisHash, isCash } from '../accounts/account.ts';
import type { Account } from '../accounts/account.ts';
import type { Entry } from '../transfers/transfer.ts';
import { accountRow, transferRow } from './finding.ts';
import type { Finding } from './finding.ts';

export type ChainEntry = Entry & { transferId: number };
type Chain = {
  account: Account;
  /** In the order of `seq`. */
  entries: AsyncIterable<ChainEntry>;
  /** What checkpoints signed of this account, in the order of `seq`. */
  signedHeads: readonly SignedHead[];
};
type Head = Pick<Entry, 'seq' | 'balanceMinor' | 'hash'>;

/** The first defect of an account's chain, from its first entry to its head. Null if there is none. */
export async function checkChain({ account, entries, signedHeads }: Chain): Promise<Finding | null> {
  const signedHashes = new Map(signedHeads.map(({ seq, hash }) => [seq, hash]));
  let previous: Head = { seq: 0, balanceMinor: 0n, hash: genesisHash(account) };
  let finding: Finding | null = null;
  // Reads all entries, also after a finding: the entries of the next account follow in the same stream.
  for await (const entry of entries) {
    finding ??= checkEntry(previous, entry, { account, signedHash: signedHashes.get(entry.seq) });
    previous = entry;
  }
  return finding ?? checkHead(account, previous) ?? checkSignedHeads(account, previous.seq, signedHeads);
}

function checkEntry(
  previous: Head,
  entry: ChainEntry,
  { account, signedHash }: { account: Account; signedHash: string | undefined },
): Finding | null {
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
  if (signedHash !== undefined && signedHash !== entry.hash)
    return inTransfer(`${name} is not the one that a checkpoint signed`);
  return null;
}

function checkHead(account: Account, newest: Head): Finding | null {
  const inAccount = (what: string): Finding => ({ row: accountRow(account.id), what });
  if (account.seq > newest.seq) return inAccount(`its newest entry, ${account.seq}, is missing`);
  if (account.seq < newest.seq) return inAccount(`its head is entry ${account.seq}, but entry ${newest.seq} exists`);
  if (account.hash !== newest.hash) return inAccount('its head does not have the hash of its newest entry');
  if (account.balanceMinor !== newest.balanceMinor) return inAccount('its balance is not that of its newest entry');
  return null;
}

function checkSignedHeads(account: Account, newestSeq: number, signedHeads: readonly SignedHead[]): Finding | null {
  const missing = signedHeads.find(({ seq }) => seq > newestSeq);
  if (!missing) return null;
  return { row: accountRow(account.id), what: `a checkpoint signed entry ${missing.seq}, which does not exist` };
}
