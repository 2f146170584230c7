import type { Observed } from './observed.ts';

/** An account's entry from the owner's view. `minor` is negative for outgoing money. */
export type Entry = { transferId: number; minor: number };
/** An account's balances before and after the run, in minor units. */
export type AccountInTheEnd = { id: number; startMinor: number; balanceMinor: number; entries: readonly Entry[] };

const some = (ids: readonly number[]): string => ids.slice(0, 10).join(', ');
const money = (minor: number): string => (minor / 100).toFixed(2);

/**
 * Checks each balance to the cent. It must equal the balance before the run plus the transfers that clients know about, and the
 * entries must be exactly these transfers. Money may move, but must not appear or disappear.
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
