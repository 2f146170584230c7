import type { BillPayment } from '@comanda/contracts/bill-payments';
import { activeStatuses } from '@comanda/ui/bill/line-state.ts';
import { formatTime } from '@comanda/ui/format.ts';
import type { LiveOrder } from '@comanda/client/core';
import type { OrderItem } from '../bumps/ticket.ts';
import { billWords } from './bill/messages.ts';
import { lineMessages } from './line-messages.ts';
import type { WaiterSession } from './waiter-session.ts';

/**
 * Says who has paid for a dish, if its line of the bill is paid or is being paid: it can't be taken off or moved then. Null if it
 * isn't.
 */
export function paidText({ paying }: WaiterSession, order: LiveOrder, item: OrderItem): string | null {
  const bill = paying.bills.value.find(({ id }) => id === order.bill_id);
  const line = bill?.lines.find(({ id }) => id === item.id);
  if (!bill || !line || line.settled.count === 0) return null;
  const payment = bill.payments.find(
    ({ status, part }) => activeStatuses.has(status) && (part.lines ?? []).some(({ line_id: id }) => id === item.id),
  );
  return payment ? textOf(payment) : null;
}

function textOf({ status, method, payer, settled_at: settledAt, created_at: createdAt }: BillPayment): string {
  const words = lineMessages();
  if (status === 'reserved' || status === 'claimed') return words.beingPaid;
  const time = formatTime(settledAt ?? createdAt);
  return payer ? words.paidBy(payer.name, time) : words.paidWith(billWords().methods[method], time);
}
