import type { CallFailure, Client } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import type { Table } from '@comanda/contracts/tables';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import type { followTables } from './follow-tables.ts';
import { openMoveBills } from './move-bills.ts';
import type { Notice } from './notice.ts';

type Deps = {
  client: Client;
  unsent: UnsentList;
  tables: Pick<ReturnType<typeof followTables>, 'load'>;
  showNotice: (notice: Notice) => void;
};

/** Moves guests, joins tables, and marks tables as clean. Bills move with their guests. */
export function openMoveGuests({ client, unsent, tables, showNotice }: Deps) {
  const bills = openMoveBills({
    client,
    unsent,
    onRefused: (table: string, failure: CallFailure) => showNotice({ kind: 'bill_stayed', table, failure }),
  });
  /**
   * Returns the seating's open bill. It is loaded from the server, because a bill missing from this screen's list would stay at
   * the old table.
   */
  async function billOf({ seating }: Table): Promise<Bill | undefined> {
    if (seating === null) return undefined;
    const [bill] = await client.calls.listBills({ status: 'open', seating });
    return bill;
  }

  return {
    /** Moves the guests at `from`, with their bill, to the table `to`. @throws CallFailure */
    move: async (from: Table, to: Table): Promise<void> => {
      const { table, seating } = from;
      const bill = await billOf(from);
      await client.calls.moveTable({ table, to: to.table, ...(seating !== null && { seating }) });
      showNotice({ kind: 'guests_moved', table, to: to.table }); // before any message about the bill
      if (bill) bills.add(bill, { kind: 'move', table: to.table });
      await tables.load();
    },
    /** Joins two tables. They then have one seating and one bill. @throws CallFailure */
    join: async (one: Table, other: Table): Promise<void> => {
      const [billOfOne, billOfOther] = await Promise.all([billOf(one), billOf(other)]);
      const staysFirst = whichStays(billOfOne, billOfOther) === 'first';
      const [from, into] = staysFirst ? [other, one] : [one, other];
      const [ending, kept] = staysFirst ? [billOfOther, billOfOne] : [billOfOne, billOfOther];
      await client.calls.joinTables({ table: from.table, to: into.table });
      showNotice({ kind: 'joined', table: one.table, to: other.table }); // before any message about the bill
      if (ending && kept) bills.add(ending, { kind: 'merge', into: kept.id });
      await tables.load();
    },
    /** Marks a table as clean. @throws CallFailure */
    clean: async ({ table }: Table): Promise<void> => {
      await client.calls.cleanTable({ table });
      showNotice({ kind: 'cleaned', table });
    },
    retry: bills.tryNow,
    close: bills.close,
  };
}

/** Returns which of two bills remains when their tables are joined. A bill with payments can't be merged into another one. */
export function whichStays(first: Bill | undefined, second: Bill | undefined): 'first' | 'second' {
  if (!first) return 'second';
  if (!second) return 'first';
  return isBegun(first) && !isBegun(second) ? 'first' : 'second';
}

/** Returns true if something was paid on the bill, or is being paid now. */
const isBegun = ({ paid, reserved }: Bill): boolean => paid !== '0.00' || reserved !== '0.00';
