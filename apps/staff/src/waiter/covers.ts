import { CallFailure, type Client } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import { signal } from '@preact/signals';

/** The number of guests that a waiter has entered, null for none, and why it could not be stored. */
type Entered = { covers: number | null; failure: CallFailure | null };

/** The numbers of guests that the server has not stored yet. Taps while a call is under way are sent together after it. */
export function openCovers({ calls }: Pick<Client, 'calls'>) {
  const entered = signal<ReadonlyMap<number, Entered>>(new Map());
  const sending = new Set<number>();
  function put(billId: number, next: Entered | null): void {
    const others = [...entered.peek()].filter(([id]) => id !== billId);
    entered.value = new Map(next === null ? others : [...others, [billId, next]]);
  }
  async function send(billId: number): Promise<void> {
    const wanted = entered.peek().get(billId);
    if (!wanted || sending.has(billId)) return;
    sending.add(billId);
    try {
      await calls.setCovers({ id: billId, covers: wanted.covers });
      if (entered.peek().get(billId) === wanted) put(billId, null);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (entered.peek().get(billId) === wanted) put(billId, { ...wanted, failure: error });
    } finally {
      sending.delete(billId);
    }
    const next = entered.peek().get(billId);
    if (next?.failure === null) await send(billId);
  }
  return {
    /** Returns the bill's number of guests, as this waiter has entered it last. */
    of: ({ id, covers = null }: Bill): Entered => entered.value.get(id) ?? { covers, failure: null },
    /** Stores the number of guests. */
    set: ({ id }: Bill, covers: number | null): void => {
      put(id, { covers, failure: null });
      void send(id);
    },
  };
}
