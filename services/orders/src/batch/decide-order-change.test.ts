import { expect, test } from '@jest/globals';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { BatchState } from './batch-state.ts';
import { decideOrderChange } from './decide-order-change.ts';
import type { ChangeOrder } from './write.ts';

test("a change based on an older version of an order is a conflict and isn't recorded", () => {
  const orders = new Map([[7, { id: 7, version: 4 }]]);
  const state = { orders, portions: new Map([[1, 10]]), changed: [] } as unknown as BatchState;
  const cancel = { id: 7, change: { kind: 'item_status', itemId: 1, to: 'cancelled' }, version: 3 } as ChangeOrder;

  const outcome = decideOrderChange(state, cancel);

  expect(outcome).toEqual({ error: expect.any(WriteConflict) });
  expect(state).toMatchObject({ orders, portions: new Map([[1, 10]]), changed: [] });
});
