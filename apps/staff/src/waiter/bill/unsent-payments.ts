import type { Client } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPart, PaymentMethod } from '@comanda/contracts/bill-payments';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import type { Unsent } from '@comanda/ui/unsent-entry.ts';
import { tableNamed } from '../by-table.ts';

type OfBill = { billId: number; table: string | null };
/** A payment that a waiter has taken and the server has not recorded yet. `amount` is without the tip, as the guest was told. */
export type Taken = OfBill & {
  kind: 'payment';
  currency: string;
  method: Exclude<PaymentMethod, 'account' | 'pix'>;
  part: BillPart;
  amount: string;
  tip: string;
  received: string | null;
  /** The cash drawer that got the cash. Absent for the main one. */
  cashDrawer?: string;
  /** If present, the bill is closed once the payment is recorded. `seating` is the one that the bill was for. */
  ends?: { seating: number | null };
};
/** The closing of a bill and of the seating that it was for. */
type Ending = OfBill & { kind: 'end'; seating: number | null };
type Input = Taken | Ending;
type Ended = { closed: Bill; isTableFreed: boolean };
export type UnsentPayment = Unsent<Input>;

type Deps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  unsent: UnsentList;
  /** Called with what the server has accepted. `ended` is the closed bill; null for a payment. */
  onDone: (input: Input, ended: Ended | null) => void;
};

/** Sends payments and closings of bills until the server responds. Rejected ones stay in the list. */
export function openUnsentPayments({ client, unsent, onDone }: Deps) {
  const sender = unsent.open<Input, { kind: 'made'; ended: Ended | null }>('payment', {
    send: async ({ key, input }, { signal }) => {
      if (input.kind === 'end') return { kind: 'made', ended: await end(client, input, signal) };
      await record(client, { key, taken: input, signal });
      return { kind: 'made', ended: null };
    },
    onResult: ({ input }, result) => {
      if (result.kind !== 'made') return;
      onDone(input, result.ended);
      if (input.kind === 'payment' && input.ends) addEnd({ id: input.billId, table: input.table, ...input.ends });
    },
    mustFollow: (input, earlier) => input.billId === earlier.billId,
  });
  const addEnd = ({ id: billId, table, seating }: Pick<Bill, 'id' | 'table' | 'seating'>): void =>
    sender.add(client.newKey(), { kind: 'end', billId, table, seating });
  return {
    entries: sender.entries,
    addPayment: (taken: Omit<Taken, 'kind'>): void => sender.add(client.newKey(), { ...taken, kind: 'payment' }),
    addEnd,
    /** Removes an entry that the server has rejected, after the waiter has read why. */
    forget: sender.remove,
    tryNow: sender.tryNow,
    close: sender.close,
  };
}

type Calls = Pick<Client, 'calls'>;
type Attempt = { key: string; taken: Taken; signal: AbortSignal };

async function record({ calls }: Calls, { key, taken, signal }: Attempt): Promise<void> {
  const { billId: id, method, part, amount, tip, received, cashDrawer } = taken;
  const body = {
    id,
    method,
    part,
    expected_amount: amount,
    tip,
    ...(received !== null && { received }),
    ...(cashDrawer !== undefined && { cash_drawer: cashDrawer }),
  };
  await calls.payBill(body, { idempotencyKey: key, repeat: 'never', signal });
}

/** Closes the bill, and then the table, unless other guests sit there by now. */
async function end({ calls }: Calls, { billId, table, seating }: Ending, signal: AbortSignal): Promise<Ended> {
  const options = { repeat: 'never', signal } as const;
  const closed = await calls.closeBill({ id: billId }, options);
  if (table === null || seating === null) return { closed, isTableFreed: false };
  const tables = await calls.listTables({}, options);
  // The bill may spell the table's name in another case.
  const theirs = tableNamed(
    tables.filter((each) => each.seating === seating),
    table,
  );
  if (theirs) await calls.closeTable({ table: theirs.table }, options);
  return { closed, isTableFreed: theirs !== undefined };
}
