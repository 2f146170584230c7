import { expect, test } from '@jest/globals';
import type { OrderStatus } from '@comanda/contracts/order';
import { ticketOf } from '../bumps/ticket.ts';
import { cancelRuleOf } from './cancel-rule.ts';

type Dish = [station: string, status: OrderStatus, wasDelivered?: 'was delivered'];

test.each<[what: string, bar: Dish, mayCancel: boolean, asksWhy: boolean]>([
  ['was not begun', ['bar', 'received'], true, false],
  ['cooks', ['bar', 'preparing'], true, true],
  ['is delivered, and stays', ['bar', 'delivered', 'was delivered'], true, false],
  ['was delivered and went back', ['bar', 'ready', 'was delivered'], false, true],
])(
  "the kitchen's board cancels the whole order as the server does if the bar's drink %s",
  (_what, bar, ...expected) => {
    const items = [['kitchen', 'received'] as Dish, bar].map(([station, status, wasDelivered], index) => ({
      id: index + 1,
      station,
      status,
      first_delivered_at: wasDelivered ? '2026-11-28T21:00:00Z' : null,
    }));
    const order = { status: 'preparing', items, placed_by: { name: 'Ana' }, seen_at: null, created_at: '' };
    const ticket = ticketOf(order as never, 'kitchen');
    const rule = (isManager: boolean) => ticket && cancelRuleOf(ticket, isManager);

    expect(rule(false)).toEqual({ mayCancel: expected[0], asksWhy: expected[1] });
    expect(rule(true)?.mayCancel).toBe(true);
  },
);
