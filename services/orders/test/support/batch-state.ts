import type { BatchState } from '../../src/batch/batch-state.ts';
import { onlyMain } from '../../src/cash-drawers/cash-drawer.ts';
import { newDish, type Dish } from '../../src/menu/menu-item.ts';
import type { OptionGroup } from '../../src/menu/option-group.ts';
import { defaultSettings } from '../../src/restaurant/restaurant-settings.ts';

/** How many beers there are before the first order. */
export const portions = 200;
export const beer: Dish = { ...newDish(70, 'BRL'), name: 'Beer', priceMinor: 999, portionsLeft: portions };
export const stew: Dish = { ...newDish(71, 'BRL'), name: 'Stew', priceMinor: 3333 };
/** A combo: each burger comes with a beer. */
export const burger: Dish = { ...newDish(72, 'BRL'), name: 'Burger', priceMinor: 4001, optionGroupIds: [5] };
const drinks: OptionGroup = {
  id: 5,
  version: 1,
  deleted: false,
  name: 'Drink',
  name_translations: {},
  min: 1,
  max: 1,
  price_method: 'sum',
  free: 0,
  options: [
    {
      id: 50,
      name: 'Beer',
      name_translations: {},
      kitchen_name: null,
      price: '2.50',
      max_each: 1,
      allergens: null,
      available: true,
      default: true,
      option_group_ids: [],
      item_id: beer.id,
    },
  ],
};

/** Returns the data of a batch in a restaurant without orders. */
export const newBatchState = (): BatchState => ({
  now: new Date('2026-11-20T21:00:00Z'),
  currency: 'BRL',
  pause: { until: null, reason: null, version: 0 },
  dishes: { byId: new Map([beer, stew, burger].map((dish) => [dish.id, dish])), byName: new Map(), removed: new Map() },
  optionGroups: new Map([[drinks.id, drinks]]),
  day: 1,
  cashDrawers: onlyMain,
  counters: {
    orderId: 0,
    itemId: 0,
    day: '2026-11-20',
    ticket: 0,
    billId: 0,
    paymentId: 0,
    billNumber: 0,
    movementId: 0,
  },
  portions: new Map([
    [beer.id, portions],
    [stew.id, null],
    [burger.id, null],
  ]),
  openItems: new Map(),
  customerLimits: { openOrders: null, openItems: null, portionPercent: 100 },
  holdings: new Map(),
  endedSeatings: new Map(),
  requests: new Map(),
  bills: {
    byId: new Map(),
    appendOnly: new Map(),
    openBySeating: new Map(),
    newestBySeating: new Map(),
    settings: { ...defaultSettings, serviceCharge: { rate: '10.00', optional: true } },
  },
  orders: new Map(),
  placed: [],
  divided: [],
  changed: [],
  exceptions: [],
  movements: [],
  pix: { known: [], added: [] },
});
