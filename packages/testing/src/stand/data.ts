import type { Bill } from '@comanda/contracts/bills';
import type { ItemOption } from '@comanda/contracts/item-options';
import type { MenuItem } from '@comanda/contracts/menu';
import type { Option, OptionGroup } from '@comanda/contracts/option-groups';
import type { Order, OrderStatus } from '@comanda/contracts/order';
import type { Restaurant } from '@comanda/contracts/restaurant';
import { localDate } from '@comanda/contracts/restaurant-clock';
import { demoMenu } from '@comanda/local-stack/demo-menu';
import { idOfGroup } from './option-groups.ts';
import type { State } from './state.ts';

// Data as a running restaurant would return it. Most functions have a parameter for fields that override the defaults.

const currency = 'BRL';
export const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const minor = (amount: string): number => Math.round(Number(amount) * 100);
const money = (amount: number): string => (amount / 100).toFixed(2);

export const newDish = (differs: Partial<MenuItem> = {}): MenuItem => ({
  id: 90,
  name: 'Cuscuz',
  description: '',
  price: '20.00',
  currency,
  image_url: null,
  category: null,
  position: 90,
  station: 'kitchen',
  allergens: [],
  available: true,
  portions_left: null,
  name_translations: {},
  description_translations: {},
  category_translations: {},
  version: 1,
  ...differs,
});
/** Creates an option without allergens, and a group of such options, of which guests choose one. */
export const newOption = (id: number, name: string, differs: Partial<Option> = {}): Option => ({
  id,
  name,
  name_translations: {},
  kitchen_name: null,
  price: '0.00',
  max_each: 1,
  allergens: [],
  available: true,
  default: false,
  option_group_ids: [],
  item_id: null,
  ...differs,
});
export const newOptionGroup = (id: number, name: string, differs: Partial<OptionGroup> = {}): OptionGroup => ({
  id,
  name,
  name_translations: {},
  min: 1,
  max: 1,
  price_method: 'sum',
  free: 0,
  options: [],
  version: 1,
  ...differs,
});
/** Creates an option of an ordered item. */
export const newItemOption = (name: string, differs: Partial<ItemOption> = {}): ItemOption => ({
  id: 31,
  group: 'Opções',
  name,
  kitchen_name: null,
  quantity: 1,
  of: null,
  price: '0.00',
  item_id: null,
  options: [],
  ...differs,
});
/** The demo's dishes. `option-groups.ts` has their option groups. */
export const menuWithOptions: readonly MenuItem[] = demoMenu.map(({ groups = [], ...dish }, index) =>
  newDish({
    ...(dish as Partial<MenuItem>),
    id: index + 1,
    option_group_ids: groups.map(idOfGroup),
  }),
);
/** The demo's first twelve dishes, without options. */
export const menu: readonly MenuItem[] = menuWithOptions
  .slice(0, 12)
  .map(({ option_group_ids: _ids, ...dish }) => dish);
/** Returns one of the demo's dishes by its Portuguese or English name. */
export function dishNamed(name: string): MenuItem {
  const found = [...menu, ...menuWithOptions].find((dish) => dish.name === name || dish.name_translations?.en === name);
  if (!found) throw new Error(`The demo has no dish ${name}.`);
  return found;
}

const rank: readonly OrderStatus[] = ['received', 'preparing', 'ready', 'delivered'];
/** Derives an order's status from its items' statuses. */
function statusOf(items: readonly OrderStatus[]): OrderStatus {
  const live: OrderStatus[] = items.filter((status) => status !== 'cancelled');
  const least = rank.find((status) => live.includes(status)) ?? 'cancelled';
  return least === 'received' && live.some((status) => status !== 'received') ? 'preparing' : least;
}
/**
 * Returns an order's next version, with new statuses. `to` is one status for all items, or a list with one status for each item.
 */
export function nextOrder(order: Order, to: OrderStatus | readonly OrderStatus[], differs: Partial<Order> = {}): Order {
  const items = order.items.map((item, index) => ({
    ...item,
    status: typeof to === 'string' ? to : (to[index] ?? item.status),
  }));
  return {
    ...order,
    items,
    status: statusOf(items.map(({ status }) => status)),
    version: order.version + 1,
    ...differs,
  };
}

type ItemOf = Partial<Order['items'][number]> & { dish: MenuItem };
type OrderOf = Partial<Omit<Order, 'items'>> & { items: readonly (ItemOf | string)[] };
/**
 * Creates an order for table 12 that a guest placed a minute ago. For an item, the dish's name is enough; the quantity is then 1.
 */
export function newOrder({ id = 1042, items, ...differs }: OrderOf): Order {
  const made = items.map((each, index) => {
    const {
      dish,
      quantity = 1,
      remarks = '',
      status = 'received',
      ...more
    } = typeof each === 'string' ? { dish: dishNamed(each) } : each;
    const { name, name_translations = {}, station } = dish;
    return {
      id: id * 10 + index,
      item_id: dish.id,
      name,
      name_translations,
      quantity,
      remarks,
      unit_price: dish.price,
      station,
      status,
      first_delivered_at: null,
      ...more,
    };
  });
  const status = statusOf(made.map((item) => item.status));
  const live = made.filter((item) => item.status !== 'cancelled');
  const at = minutesAgo(1);
  return {
    id,
    ticket: (id % 1000) + 1,
    table: '12',
    seating: 88,
    bill_id: 312,
    status,
    version: 1,
    allergies: null,
    seen_at: null,
    seen_on: null,
    allergies_read_at: null,
    stations: [...new Set(made.map(({ station }) => station))].map((station) => ({
      station,
      seen_at: null,
      seen_on: null,
      allergies_read_at: null,
    })),
    delivered_at: status === 'delivered' ? at : null,
    items: made,
    total: money(live.reduce((sum, item) => sum + minor(item.unit_price) * item.quantity, 0)),
    currency,
    placed_by: { id: 7, name: 'Table 12' },
    created_at: at,
    updated_at: at,
    allowed_transitions: [],
    ...differs,
  };
}

/** Creates an unpaid bill for these orders, with a 10% service charge. */
export function newBill(orders: readonly Order[], differs: Partial<Bill> = {}): Bill {
  const lines = orders.flatMap((order) =>
    order.items
      .filter(({ part_of: of = null }) => of === null)
      .map((item) => ({
        id: item.id,
        order_id: order.id,
        ticket: order.ticket,
        name: item.name,
        quantity: item.quantity,
        name_translations: item.name_translations ?? {},
        options: item.options ?? [],
        measure: item.measure ?? null,
        unit_price: item.unit_price,
        status: item.status,
        amount: money(minor(item.unit_price) * item.quantity),
        discount: '0.00',
        settled: { count: 0, of: item.quantity },
        ordered_by: order.placed_by,
      })),
  );
  const items = lines.filter(({ status }) => status !== 'cancelled').reduce((sum, line) => sum + minor(line.amount), 0);
  const service = differs.service_charge?.included === false ? 0 : Math.round(items / 10);
  const paid = minor(differs.paid ?? '0');
  const reserved = minor(differs.reserved ?? '0');
  return {
    id: 312,
    number: null,
    status: 'open',
    version: 1,
    table: '12',
    seating: 88,
    currency,
    lines,
    discounts: [],
    items_total: money(items),
    discount_total: '0.00',
    service_charge: { rate: '10.00', included: true, amount: money(service) },
    rounding: '0.00',
    total: money(items + service),
    paid: '0.00',
    reserved: '0.00',
    remaining: money(items + service - paid - reserved),
    tips: '0.00',
    refunded: '0.00',
    split: { mode: 'none', shares_of: null, shares_taken: 0 },
    taxes: [],
    payments: [],
    merged_into: null,
    day: null,
    created_at: minutesAgo(30),
    closed_at: null,
    updated_at: minutesAgo(1),
    ...differs,
  };
}

/** Returns a time zone where the current hour is `hour`. */
function zoneAt(hour: 12 | 13): string {
  const hoursAhead = hour - new Date().getUTCHours();
  if (hoursAhead === 0) return 'UTC';
  return `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`; // In these names, the signs are reversed.
}
/** The time zone of a device that is not in the restaurant's time zone: its clock is one hour ahead. */
export const deviceZone = zoneAt(13);

export const restaurant: Restaurant = {
  name: 'Comanda',
  currency,
  time_zone: zoneAt(12), // It is about noon there, so no test crosses midnight.
  day_starts_at: '04:00',
  language: 'pt-BR',
  service_charge: { rate: '10.00', optional: true },
  tip_suggestions: ['5.00', '10.00'],
  waiter_discount_limit: '10.00',
  version: 1,
};

/** Returns the date in the restaurant. */
const today = (): string => localDate(Date.now(), restaurant.time_zone);

/** The responses of a restaurant where nothing has happened yet, for both apps. */
export const quietAnswers: State['answers'] = {
  listMenu: [...menu],
  listOptionGroups: [],
  getOrdering: { paused_until: null, reason: null, version: 1 },
  getStops: { transfers: null, sign_ups: null, version: 1 },
  getRestaurant: restaurant,
  getSetup: { needs_first_manager: false },
  listOrders: [],
  listBills: [],
  listCalls: [],
  getPix: { mode: 'off' },
  listPixReceipts: [],
  getDay: {
    number: 1,
    business_date: today(),
    opened_at: minutesAgo(180),
    overdue: false,
    previous_hash: '0'.repeat(64),
    open_bills: [],
    open_bill_count: 0,
    cash_drawers: [{ name: 'main', moved: false }],
  },
  getDayFigures: {
    bills: { closed: 0, open: 0, remaining: '0.00' },
    guests: null,
    late: { items: 0, of: 0 },
    hours: [],
    dishes: [],
    stations: [],
    payments: [],
    tips: [],
    waiters: [],
    exceptions: [],
    before: null,
  },
  listCashDrawers: [{ name: 'main', label: 'main', status: 'active', counted_at: null, moved: false }],
};
