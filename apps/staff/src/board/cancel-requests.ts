import { CallFailure, type Client } from '@comanda/client/core';
import { tagOf } from '../bumps/send-bump.ts';
import type { Ticket } from '../bumps/ticket.ts';

/** A request from the back of a ticket that failed. */
export type FailedRequest = { kind: 'failed'; ticket: Ticket; failure: CallFailure };

export type CancelDeps = {
  client: Pick<Client, 'calls'>;
  /** Only managers cancel what was once delivered. */
  isManager: () => boolean;
  /** The version of the order that this screen shows. */
  versionOf: (id: number) => number | undefined;
  onFailed: (failed: FailedRequest) => void;
};

/** Without a reason where none is needed. */
type Why = { reason?: string };

/** Requests from the back of a ticket: for the order as the person sees it, or not at all. */
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
