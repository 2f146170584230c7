import { wasDelivered } from '@comanda/client/core';
import type { Ticket } from '../bumps/ticket.ts';
import { needsReason } from '../reasons/needs-reason.ts';

/**
 * Returns true if this user may cancel a ticket's whole order and must give a reason. Works as on the server, whichever station
 * cooks the dishes.
 */
export const cancelRuleOf = (
  { cancelledWithOrder: items }: Pick<Ticket, 'cancelledWithOrder'>,
  isManager: boolean,
) => ({
  mayCancel: isManager || !items.some(wasDelivered),
  asksWhy: items.some(({ status }) => needsReason(status)),
});
