import { CallFailure, type Client } from '@comanda/client/core';
import { tagOf } from '../bumps/send-bump.ts';
import type { Ticket } from '../bumps/ticket.ts';

/** A request from the back of a ticket that the server has rejected or not received. */
export type FailedRequest = {
  kind: 'failed';
  ticket: Ticket;
  failure: CallFailure;
  /** Absent if it was to cancel. */ what?: 'remake';
};

export type CancelDeps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  /** Returns true for managers. Only they can cancel dishes that were once delivered. */
  isManager: () => boolean;
  /** Returns the version of the order that this screen shows; undefined if it shows no such order. */
  versionOf: (id: number) => number | undefined;
  onFailed: (failed: FailedRequest) => void;
};

/** The reason for a cancellation; absent if none is needed. */
type Why = { reason?: string };

/** The keys of remakes without a response: a repetition must not have the dish cooked twice. */
const remakeKeys = new Map<string, string>();
type Remake = { itemId: number; quantity: number; reason: string };

/** Sends requests from the back of a ticket. The server rejects them if the order is no longer as this screen shows it. */
export function createCancelRequests({ client: { calls, newKey }, versionOf, onFailed }: CancelDeps) {
  const status = 'cancelled';
  async function request(ticket: Ticket, makeCall: (ifMatch: string) => Promise<unknown>): Promise<void> {
    try {
      await makeCall(tagOf(ticket.id, versionOf(ticket.id) ?? ticket.version));
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure;
      onFailed({ kind: 'failed', ticket, failure });
    }
  }
  return {
    /** Has the dish cooked again, free of charge. */
    remake: async (ticket: Ticket, { itemId, quantity, reason }: Remake): Promise<void> => {
      const input = { id: ticket.id, item_id: itemId, quantity, reason };
      const what = JSON.stringify(input);
      const idempotencyKey = remakeKeys.get(what) ?? newKey();
      remakeKeys.set(what, idempotencyKey);
      try {
        await calls.remakeItem(input, { idempotencyKey });
        remakeKeys.delete(what);
      } catch (failure) {
        if (!(failure instanceof CallFailure)) throw failure;
        if (!failure.isUndecided) remakeKeys.delete(what);
        onFailed({ kind: 'failed', ticket, failure, what: 'remake' });
      }
    },
    cancelOrder: (ticket: Ticket, why: Why): Promise<void> =>
      request(ticket, (ifMatch) => calls.updateOrder({ id: ticket.id, status, ...why }, { ifMatch })),
    /** `quantityLeft`: how many stay, if only a part is cancelled. */
    cancelItem: (
      ticket: Ticket,
      { itemId, quantityLeft, ...why }: Why & { itemId: number; quantityLeft?: number },
    ): Promise<void> => {
      const left = quantityLeft === undefined ? {} : { quantity_left: quantityLeft };
      return request(ticket, (ifMatch) =>
        calls.updateOrderItem({ id: ticket.id, item_id: itemId, status, ...left, ...why }, { ifMatch }),
      );
    },
  };
}
