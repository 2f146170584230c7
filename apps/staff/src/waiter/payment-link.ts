import type { Bill } from '@comanda/contracts/bills';
import type { TableCall } from '@comanda/contracts/calls';
import type { WaiterSession } from './waiter-session.ts';

/** Returns the seating's open bill, if it has only one. */
export function onlyBillOf({ paying }: Pick<WaiterSession, 'paying'>, seating: number | null): Bill | undefined {
  if (seating === null) return undefined;
  const open = paying.bills.value.filter((bill) => bill.seating === seating && bill.status === 'open');
  return open.length === 1 ? open[0] : undefined;
}

/**
 * For guests who want to pay: returns the bill with something left to pay, and the address of the page that takes the payment by
 * the method and of the amount of their wish. Null if there is no such bill.
 */
export function paymentFor(session: Pick<WaiterSession, 'paying'>, wish: TableCall) {
  const bill = wish.kind === 'bill' ? onlyBillOf(session, wish.seating) : undefined;
  if (!bill || bill.remaining === '0.00') return null;
  const wished = [wish.method ?? (wish.amount == null ? null : 'any'), wish.amount].filter((each) => each != null);
  return { bill, href: ['#/waiter/bill', bill.id, 'pay', ...wished].join('/') };
}
