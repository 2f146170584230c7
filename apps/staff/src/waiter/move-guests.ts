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

/** Guests who move, tables that are joined, and tables that are clean. Their bills follow. */
export function openMoveGuests({ client, unsent, tables, showNotice }: Deps) {
  const bills = openMoveBills({
    client,
    unsent,
    onRefused: (table: string, failure: CallFailure) => showNotice({ kind: 'bill_stayed', table, failure }),
  });
  /** Asked of the server: this screen may not have read it yet, and it would stay at the table that was left. */
  async function billOf({ seating }: Table): Promise<Bill | undefined> {
    if (seating === null) return undefined;
    const [bill] = await client.calls.listBills({ status: 'open', seating });
    return bill;
  }

  return {
    /** The guests of `from` sit at `to` now, with their bill. @throws CallFailure */
    move: async (from: Table, to: Table): Promise<void> => {
      const { table, seating } = from;
      const bill = await billOf(from);
      await client.calls.moveTable({ table, to: to.table, ...(seating !== null && { seating }) });
      showNotice({ kind: 'guests_moved', table, to: to.table }); // before what may be said of the bill
      if (bill) bills.add(bill, { kind: 'move', table: to.table });
      await tables.load();
    },
    /** Both tables have one seating then, and one bill. @throws CallFailure */
    join: async (one: Table, other: Table): Promise<void> => {
      const [billOfOne, billOfOther] = await Promise.all([billOf(one), billOf(other)]);
      const staysFirst = whichStays(billOfOne, billOfOther) === 'first';
      const [from, into] = staysFirst ? [other, one] : [one, other];
      const [ending, kept] = staysFirst ? [billOfOther, billOfOne] : [billOfOne, billOfOther];
      await client.calls.joinTables({ table: from.table, to: into.table });
      showNotice({ kind: 'joined', table: one.table, to: other.table }); // before what may be said of the bill
      if (ending && kept) bills.add(ending, { kind: 'merge', into: kept.id });
      await tables.load();
    },
    /** @throws CallFailure */
    clean: async ({ table }: Table): Promise<void> => {
      await client.calls.cleanTable({ table });
      showNotice({ kind: 'cleaned', table });
    },
    retry: bills.tryNow,
    close: bills.close,
  };
}

/** Which of two bills stays when their tables are joined: one of which something is paid cannot be merged into another one. */
export function whichStays(first: Bill | undefined, second: Bill | undefined): 'first' | 'second' {
  if (!first) return 'second';
  if (!second) return 'first';
  return isBegun(first) && !isBegun(second) ? 'first' : 'second';
}

/** Somebody has paid of it, or pays now. */
const isBegun = ({ paid, reserved }: Bill): boolean => paid !== '0.00' || reserved !== '0.00';
