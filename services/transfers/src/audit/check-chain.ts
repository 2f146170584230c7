import type { SignedHead } from '../checkpoints/checkpoint.ts';
import { genesis, isCash } from '../accounts/account.ts';
import type { Account } from '../accounts/account.ts';
import type { Leg } from '../transfers/transfer.ts';
import { accountRow, transferRow } from './finding.ts';
import type { Finding } from './finding.ts';

export type Entry = Leg & { transferId: number };
type Chain = {
  account: Account;
  /** In the order of `seq`. */
  entries: AsyncIterable<Entry>;
  /** What checkpoints have signed of this account, in the order of `seq`. */
  signed: readonly SignedHead[];
};

/** The first thing that is wrong with an account's chain, from its beginning to its head; null for nothing. */
export async function checkChain({ account, entries, signed }: Chain): Promise<Finding | null> {
  const heads = new Map(signed.map(({ seq, hash }) => [seq, hash]));
  let before = { seq: 0, balanceMinor: 0n, hash: genesis(account) };
  let finding: Finding | null = null;
  // Read to its end in any case: the entries of the next account come after it.
  for await (const entry of entries) {
    finding ??= checkLink(before, entry, { account, signedHash: heads.get(entry.seq) });
    before = entry;
  }
  return finding ?? checkHead(account, before) ?? checkSigned(account, before.seq, signed);
}

type Place = Pick<Leg, 'seq' | 'balanceMinor' | 'hash'>;

function checkLink(
  before: Place,
  entry: Entry,
  { account, signedHash }: { account: Account; signedHash: string | undefined },
): Finding | null {
  const at = `entry ${entry.seq} of account ${account.id}`;
  const tell = (what: string): Finding => ({ row: transferRow(entry.transferId), what });
  if (entry.seq !== before.seq + 1) {
    const missing = `entry ${before.seq + 1} is missing before entry ${entry.seq}`;
    return entry.seq > before.seq ? { row: accountRow(account.id), what: missing } : tell(`${at} is there twice`);
  }
  if (entry.prev !== before.hash) return tell(`${at} does not follow from the one before it`);
  if (entry.balanceMinor !== before.balanceMinor + entry.amountMinor)
    return tell(`the balance of ${at} does not add up`);
  if (entry.balanceMinor < 0n && !isCash(account)) return tell(`the balance of ${at} is below zero`);
  if (signedHash !== undefined && signedHash !== entry.hash)
    return tell(`${at} is not the one that a checkpoint signed`);
  return null;
}

function checkHead(account: Account, newest: Place): Finding | null {
  const tell = (what: string): Finding => ({ row: accountRow(account.id), what });
  if (account.seq > newest.seq) return tell(`its newest entry, ${account.seq}, is missing`);
  if (account.seq < newest.seq) return tell(`it stands at entry ${account.seq}, and there is an entry ${newest.seq}`);
  if (account.hash !== newest.hash) return tell('its head is not the hash of its newest entry');
  if (account.balanceMinor !== newest.balanceMinor) return tell('its balance is not that of its newest entry');
  return null;
}

function checkSigned(account: Account, newest: number, signed: readonly SignedHead[]): Finding | null {
  const beyond = signed.find(({ seq }) => seq > newest);
  if (!beyond) return null;
  return { row: accountRow(account.id), what: `a checkpoint has signed entry ${beyond.seq}, and there is none` };
}
