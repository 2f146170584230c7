import type { ItemOption } from '@comanda/contracts/item-options';
import { expect, test } from '@jest/globals';
import { dish, newServer, openDeviceForEach, openTab } from '../../test/support/sending-tab.ts';

openDeviceForEach();

const option = (id: number) => ({ id, name: `Option ${id}`, quantity: 1, options: [] }) as unknown as ItemOption;
const rare = { quantity: 1, remarks: '', options: [option(1)] };
const medium = { quantity: 1, remarks: '', options: [option(2)] };

test('one portion less is one less of the line that was added to last, then of the others', () => {
  const { basket } = openTab(newServer());
  for (const choice of [rare, medium, { ...medium, remarks: 'no salt' }, medium]) basket.add(dish(1), choice);
  basket.add(dish(2), rare);
  basket.add(dish(1), medium);
  const quantities: number[][] = [];
  for (let taps = 0; taps < 4; taps++) {
    basket.takeOne(dish(1));
    quantities.push(basket.lines.value.map(({ quantity }) => quantity));
  }

  expect(quantities).toEqual([
    [1, 2, 1, 1],
    [1, 1, 1, 1],
    [1, 1, 1],
    [1, 1],
  ]);
  expect(basket.countOf(2)).toBe(1);
});

test('dishes without listed allergens say so once the guest has written an allergy, without any filter', () => {
  const { basket } = openTab(newServer());
  const isUnstated = (): boolean[] => [basket.isUnstated(dish(1)), basket.isUnstatedWith(dish(1), [])];
  const before = isUnstated();
  basket.setAllergies('peanuts');

  expect([before, isUnstated()]).toEqual([
    [false, false],
    [true, true],
  ]);
});
