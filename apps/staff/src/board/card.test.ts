import { expect, test } from '@jest/globals';
import { allStations } from '../bumps/all-stations.ts';
import { ticketOf } from '../bumps/ticket.ts';
import { differenceOf, type BoardCard } from './card.ts';

/** Creates the card of an order that was just received. */
function cardOf(id: number, splitFrom: number | null | undefined, differs: object = {}): BoardCard {
  const item = { id: id * 10, item_id: 7, name: 'Feijoada', quantity: 1, remarks: '', station: 'kitchen' };
  const order = {
    id,
    ticket: 37,
    version: 2,
    table: '12',
    status: 'received',
    allergies: null,
    seen_at: null,
    items: [{ ...item, unit_price: '32.50', status: 'received', ...differs }],
    placed_by: { id: 5, name: 'Ana' },
    created_at: '2026-11-20T21:00:00.000Z',
    ...(splitFrom !== undefined && { split_from: splitFrom }),
  };
  return { ticket: ticketOf(order as never, allStations), look: 'new', changes: [] } as never;
}

test('an order with dishes that were moved from another one is a change, but not a new order', () => {
  const [known, fromOldRelease, placed, moved] = [cardOf(1, null), cardOf(2, undefined), cardOf(3, null), cardOf(4, 1)];

  const difference = differenceOf([known], [known, fromOldRelease, placed, moved]);

  expect(difference).toEqual({ added: [2, 3], ready: [], changed: [4], hasRemake: false });
});

test('a remake is a new order whose sound comes twice', () => {
  const difference = differenceOf([], [cardOf(1, null, { remake: { of: 9, reason: 'Burnt' } })]);

  expect(difference).toEqual({ added: [1], ready: [], changed: [], hasRemake: true });
});
