import { CallFailure, type Client } from '@comanda/client/core';
import { tagOf } from '../bumps/send-bump.ts';
import type { Ticket } from '../bumps/ticket.ts';

/** A request from the back of a ticket that the server has rejected or not received. */
export type FailedRequest = { kind: 'failed'; ticket: Ticket; failure: CallFailure };

export type CancelDeps = {
  client: Pick<Client, 'calls'>;
  /** Returns true for managers. Only they can cancel dishes that were once delivered. */
  isManager: () => boolean;
  /** Returns the version of the order that this screen shows; undefined if it shows no such order. */
  versionOf: (id: number) => number | undefined;
  onFailed: (failed: FailedRequest) => void;
};

/** The reason for a cancellation; absent if none is needed. */
type Why = { reason?: string };

/** Sends requests from the back of a ticket. The server rejects them if the order is no longer as this screen shows it. */
export function createCancelRequests({ client: { calls }, versionOf, onFailed }: CancelDeps) {
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
    cancelOrder: (ticket: Ticket, why: Why): Promise<void> =>
      request(ticket, (ifMatch) => calls.updateOrder({ id: ticket.id, status, ...why }, { ifMatch })),
    cancelItem: (ticket: Ticket, { itemId, ...why }: Why & { itemId: number }): Promise<void> =>
      request(ticket, (ifMatch) =>
        calls.updateOrderItem({ id: ticket.id, item_id: itemId, status, ...why }, { ifMatch }),
      ),
  };
}
