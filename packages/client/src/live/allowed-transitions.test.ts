import { expect, test } from '@jest/globals';
import { orderInEventExample } from '@comanda/contracts/order';
import { allowedTransitions } from './allowed-transitions.ts';
import type { Who } from '../session/session.ts';

const waiter = { userId: 2, role: 'waiter' } as Who;
const deliveredAt = Date.parse('2026-11-20T21:30:00.000Z');
const minute = 60_000;

test('a delivery can be undone for 15 minutes, even if the order was changed later', () => {
  const delivered = {
    ...orderInEventExample,
    status: 'delivered' as const,
    items: [{ status: 'delivered' as const }],
    delivered_at: '2026-11-20T21:30:00.000Z',
    updated_at: '2026-11-20T21:44:00.000Z',
  };

  expect(allowedTransitions(delivered, waiter, deliveredAt + 15 * minute)).toEqual(['ready']);
  expect(allowedTransitions(delivered, waiter, deliveredAt + 16 * minute)).toEqual([]);
});
