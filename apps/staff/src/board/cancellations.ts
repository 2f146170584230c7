import { findLast } from '@comanda/contracts/collections';
import { CallFailure, type Client, type FeedEvent } from '@comanda/client/core';
import { signal } from '@preact/signals';
import { messages } from '../messages.ts';
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
  async function setName(id: number, cancellation: Omit<Cancellation, 'by'>): Promise<void> {
    try {
      const history = await calls.getOrderHistory({ id });
      const isWhole = ({ to, item_id: item }: (typeof history)[number]) => to === 'cancelled' && item === undefined;
      const by = findLast(history, isWhole)?.actor.name;
      if (by !== undefined) set(id, { by, ...cancellation });
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
      const cancellation = { at: time, ...(data.reason !== undefined && { reason: data.reason }) };
      set(id, { by: messages().roles[data.actor.role], ...cancellation });
      void setName(id, cancellation);
    },
  };
}
