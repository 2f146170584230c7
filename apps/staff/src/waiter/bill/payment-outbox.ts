import { createOutbox, type Client } from '@comanda/client';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPart, PaymentMethod } from '@comanda/contracts/bill-payments';
import { computed, signal } from '@preact/signals';
import { isListOf, stored } from '@comanda/ui/stored-setting.ts';
import { keepRefused, type WithRefusal } from '../../device/keep-refused.ts';
import { tableNamed } from '../by-table.ts';
import { paymentsName, refusedPaymentsName } from '../../device/kept-work.ts';

type OfBill = {
  /** The idempotency key, the same until there is an answer. */
  key: string;
  billId: number;
  table: string | null;
};
/** What a waiter has taken, and the server has not recorded. `amount`: without the tip, as the guest was told. */
export type Taken = OfBill & {
  kind: 'payment';
  currency: string;
  method: Exclude<PaymentMethod, 'account'>;
  part: BillPart;
  amount: string;
  tip: string;
  received: string | null;
};
/** The end of a bill, and of the seating that it was for. */
type Ending = OfBill & { kind: 'end'; seating: number | null };
type Entry = Taken | Ending;
type Ended = { closed: Bill; isTableFreed: boolean };
/** `isLate`: an attempt has failed, or there is no answer for 2.5 s. `refused`: why the server refused it for good. */
export type Unanswered = Entry & WithRefusal & { isLate: boolean };

type Deps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  userId: number;
  /** `ended`: the answer to the end of a bill. */
  onDone: (entry: Entry, ended: Ended | null) => void;
};

/** Payments and ends of bills that the server has not answered, each sent until it has. */
export function openPaymentOutbox({ client, userId, onDone }: Deps) {
  const storage = stored(paymentsName(userId), isListOf<Entry>('kind', 'key', 'billId', 'table'), []);
  const unsent = signal<readonly Entry[]>(storage.get());
  const refused = keepRefused<Entry>(refusedPaymentsName(userId));
  const late = signal<ReadonlySet<string>>(new Set(unsent.value.map(({ key }) => key)));
  const setLate = ({ key }: Entry): void => {
    late.value = new Set([...late.value, key]);
  };
  const outbox = createOutbox<Entry, Ended | null>({
    storage,
    keyOf: ({ key }) => key,
    send: async (entry, { signal: abort }) => {
      try {
        return await (entry.kind === 'payment' ? record(client, entry, abort) : end(client, entry, abort));
      } catch (error) {
        if (!abort.aborted) setLate(entry);
        throw error;
      }
    },
    onChange: (entries) => (unsent.value = entries),
    onSent: onDone,
    onRefused: refused.add,
    onLate: setLate,
  });
  return {
    entries: computed<readonly Unanswered[]>(() => [
      ...refused.entries.value.map((entry) => ({ ...entry, isLate: true })),
      ...unsent.value.map((entry) => ({ ...entry, isLate: late.value.has(entry.key) })),
    ]),
    addPayment: (taken: Omit<Taken, 'key' | 'kind'>): void =>
      outbox.add({ ...taken, kind: 'payment', key: client.newKey() }),
    addEnd: ({ id: billId, table, seating }: Pick<Bill, 'id' | 'table' | 'seating'>): void =>
      outbox.add({ kind: 'end', key: client.newKey(), billId, table, seating }),
    /** Takes out what the server has refused, after somebody has read why. */
    forget: (key: string): void => void refused.remove(key),
    tryNow: outbox.tryNow,
    close: outbox.close,
  };
}

type Calls = Pick<Client, 'calls'>;

async function record({ calls }: Calls, taken: Taken, abort: AbortSignal): Promise<null> {
  const { key, billId: id, method, part, amount, tip, received } = taken;
  const body = { id, method, part, expected_amount: amount, tip, ...(received !== null && { received }) };
  await calls.payBill(body, { idempotencyKey: key, repeat: 'never', signal: abort });
  return null;
}

/** Closes the bill, then the table, unless other people sit there by now. */
async function end({ calls }: Calls, { billId, table, seating }: Ending, abort: AbortSignal): Promise<Ended> {
  const options = { repeat: 'never', signal: abort } as const;
  const closed = await calls.closeBill({ id: billId }, options);
  if (table === null || seating === null) return { closed, isTableFreed: false };
  const tables = await calls.listTables({}, options);
  // The bill may name it in another case.
  const theirs = tableNamed(
    tables.filter((each) => each.seating === seating),
    table,
  );
  if (theirs) await calls.closeTable({ table: theirs.table }, options);
  return { closed, isTableFreed: theirs !== undefined };
}
