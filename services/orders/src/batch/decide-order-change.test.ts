import { expect, test } from '@jest/globals';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { BatchState } from './batch-state.ts';
import { applyChange } from './decide-order-change.ts';
import type { SharedChange } from '../orders/change-order.ts';

test('when the order has another version than its dishes were derived from, then the change is a conflict, and nothing is written', () => {
  const orders = new Map([[7, { id: 7, version: 4 }]]);
  const state = { orders, portions: new Map([[1, 10]]), changed: [] } as unknown as BatchState;
  const cancel = { id: 7, change: { kind: 'item_status', itemId: 1, to: 'cancelled' }, version: 3 } as SharedChange;

  const outcome = applyChange(state, cancel);

  expect(outcome).toEqual({ error: expect.any(WriteConflict) });
  expect(state).toMatchObject({ orders, portions: new Map([[1, 10]]), changed: [] });
});
