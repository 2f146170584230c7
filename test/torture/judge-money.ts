import type { Observed } from './observed.ts';

/** An entry in an account. `minor` is the amount in cents, which is negative for money that leaves the account. */
export type Entry = { transferId: number; minor: number };
/** An account at the end of the run. Its balances before and after the run are in cents. */
export type AccountInTheEnd = { id: number; startMinor: number; balanceMinor: number; entries: readonly Entry[] };

const some = (ids: readonly number[]): string => ids.slice(0, 10).join(', ');
const money = (minor: number): string => (minor / 100).toFixed(2);

/**
 * Checks each account's balance to the cent: it must be the balance before the run plus all transfers that clients know about,
 * and the entries must be exactly these transfers. Money must neither appear nor disappear. Returns a sentence for each
 * violation.
 */
export function judgeMoney(
  accounts: readonly AccountInTheEnd[],
  { transfers, unknownTransfers }: Pick<Observed, 'transfers' | 'unknownTransfers'>,
): string[] {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const had = sum(accounts.map(({ startMinor }) => startMinor));
  const have = sum(accounts.map(({ balanceMinor }) => balanceMinor));
  const total = had === have ? [] : [`all accounts had ${money(had)} and have ${money(have)}`];
  if (unknownTransfers > 0) return total;
  return [...total, ...accounts.flatMap((account) => judgeAccount(account, transfers))];
}

function judgeAccount(account: AccountInTheEnd, transfers: Observed['transfers']): string[] {
  const { id, startMinor, balanceMinor, entries } = account;
  const expected = new Map<number, number>();
  for (const [transferId, { from, to, minor }] of transfers) {
    if (from === id) expected.set(transferId, -minor);
    if (to === id) expected.set(transferId, minor);
  }
  const balance = [...expected.values()].reduce((sum, minor) => sum + minor, startMinor);
  const count = Map.groupBy(entries, ({ transferId }) => transferId);
  const wrong = [...expected].filter(([transferId, minor]) => {
    const found = count.get(transferId) ?? [];
    return found.length !== 1 || found[0]?.minor !== minor;
  });
  const unknown = entries.filter(({ transferId }) => !expected.has(transferId));
  return [
    ...(balance === balanceMinor
      ? []
      : [`account ${id} has ${money(balanceMinor)}, and by its transfers ${money(balance)}`]),
    ...(wrong.length > 0
      ? [`account ${id} has no entry, two or another for transfers ${some(wrong.map(([each]) => each))}`]
      : []),
    ...(unknown.length > 0
      ? [`account ${id} has entries that no call was told of: ${some(unknown.map((each) => each.transferId))}`]
      : []),
  ];
}
