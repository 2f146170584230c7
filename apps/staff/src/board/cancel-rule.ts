import { wasDelivered } from '@comanda/client/transitions';
import type { Ticket } from '../bumps/ticket.ts';
import { needsReason } from '../reasons/needs-reason.ts';

/**
 * Returns whether this user may cancel a ticket's whole order, and whether a reason is needed. The server has the same rule,
 * whichever stations cook the dishes.
 */
export const cancelRuleOf = (
  { cancelledWithOrder: items }: Pick<Ticket, 'cancelledWithOrder'>,
  isManager: boolean,
) => ({
  mayCancel: isManager || !items.some(wasDelivered),
  asksWhy: items.some(({ status }) => needsReason(status)),
});
