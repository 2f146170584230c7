import { CallFailure, type Client } from '@comanda/client';
import { followLiveBills } from '@comanda/client/live-bills';
import type { Bill } from '@comanda/contracts/bills';
import { signal } from '@preact/signals';

/** The bills of the restaurant: those of the live list, and any other that a page has asked for. */
export function openBills(client: Client) {
  const listed = signal<readonly Bill[]>([]);
  /** Whether the list was read since the last gap: until then, a bill that is missing may exist. */
  const isRead = signal(false);
  /** What pages have asked for: the list leaves merged bills out, and closed ones but the newest. */
  const asked = signal<ReadonlyMap<number, Bill>>(new Map());
  const live = followLiveBills(client, {
    onChange: (all) => {
      listed.value = all;
      isRead.value = live.isRead();
    },
    onEvent: ({ data }) => {
      if ('bill' in data && asked.peek().has(data.bill.id)) take(data.bill);
    },
    onStanding: ({ status }) => {
      if (status === 'gap') asked.value = new Map(); // read again by the page that shows one
    },
  });
  function take(bill: Bill): void {
    const known = asked.peek().get(bill.id);
    if (!known || known.version < bill.version) asked.value = new Map([...asked.peek(), [bill.id, bill]]);
  }
  /** @throws CallFailure */
  async function read(id: number): Promise<void> {
    const bill = await client.calls.getBill({ id });
    if (!bill) return;
    take(bill);
    live.apply(bill);
  }
  return {
    listed,
    isRead,
    /** The newest that is known of a bill; undefined before it was read. */
    find: (id: number): Bill | undefined => listed.value.find((bill) => bill.id === id) ?? asked.value.get(id),
    /** Reads a bill that is not in the list. @throws CallFailure */
    read,
    /** Reads what has just been changed; its event brings it if that fails. */
    readAgain: async (id: number): Promise<void> => {
      try {
        await read(id);
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
      }
    },
    /** Takes the answer to a change of a bill. */
    apply: (bill: Bill): void => {
      live.apply(bill);
      if (asked.peek().has(bill.id)) take(bill);
    },
    close: live.close,
  };
}
