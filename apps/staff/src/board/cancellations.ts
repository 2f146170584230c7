import { findLast } from '@comanda/contracts/collections';
import { CallFailure, type Client, type FeedEvent } from '@comanda/client/core';
import { signal } from '@preact/signals';
import type { Cancellation } from './card.ts';

const maxKept = 50;

/**
 * Finds out who cancelled each order. The order itself doesn't say: the event has the user's role, and only the order's history
 * has the name.
 */
export function createCancellations({ calls }: Pick<Client, 'calls'>) {
  const cancellations = signal<ReadonlyMap<number, Cancellation>>(new Map());
  function set(id: number, cancellation: Cancellation): void {
    const kept = [...cancellations.peek()].slice(-maxKept);
    cancellations.value = new Map([...kept, [id, cancellation]]);
  }
  async function setName(id: number, cancellation: Cancellation): Promise<void> {
    try {
      const history = await calls.getOrderHistory({ id });
      const isWhole = ({ to, item_id: item }: (typeof history)[number]) => to === 'cancelled' && item === undefined;
      const name = findLast(history, isWhole)?.actor.name;
      if (name !== undefined) set(id, { ...cancellation, name });
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure; // the user's role is shown instead of the name
    }
  }
  return {
    /** The cancellations by order id. */
    cancellations,
    takeEvent: ({ type, data, time }: FeedEvent): void => {
      if (type !== 'order.status_changed' || data.to !== 'cancelled') return;
      const { id } = data.order;
      const reason = data.reason !== undefined && { reason: data.reason };
      const cancellation = { role: data.actor.role, at: time, ...reason };
      set(id, cancellation);
      void setName(id, cancellation);
    },
  };
}
