import { wasDelivered } from '@comanda/client';
import type { Ticket } from '../bumps/ticket.ts';
import { needsReason } from '../reasons/needs-reason.ts';

/** As on the server, whatever station cooks the dishes: whether this user may cancel a ticket's whole order, and says why. */
export const cancelRuleOf = (
  { cancelledWithOrder: items }: Pick<Ticket, 'cancelledWithOrder'>,
  isManager: boolean,
) => ({
  mayCancel: isManager || !items.some(wasDelivered),
  asksWhy: items.some(({ status }) => needsReason(status)),
});
