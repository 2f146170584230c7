/** A small model of orders and dishes, written from the specification and not from the service's code. */
export type Status = 'received' | 'preparing' | 'ready' | 'delivered' | 'cancelled';
type Dish = { available: boolean; portions: number | null };
type Item = { dish: number; quantity: number; status: Status; reserved: boolean };
type Order = { items: Item[]; table: string; version: number };
export type Model = { dishes: Dish[]; orders: Order[] };

const sequence: readonly Status[] = ['received', 'preparing', 'ready', 'delivered'];
const stepOf = (status: Status): number => sequence.indexOf(status);
const activeItems = (order: Order): Item[] => order.items.filter(({ status }) => status !== 'cancelled');

export function statusOf(order: Order): Status {
  const items = activeItems(order);
  if (items.length === 0) return 'cancelled';
  const first = Math.min(...items.map(({ status }) => stepOf(status)));
  const last = Math.max(...items.map(({ status }) => stepOf(status)));
  if (first === 3) return 'delivered';
  if (first === 2) return 'ready';
  return last === 0 ? 'received' : 'preparing';
}

/** Places an order in the model. Returns 201 if every item is available, otherwise 409. */
export function placeOrder(model: Model, lines: readonly { dish: number; quantity: number }[], table: string): number {
  const wanted = new Map<number, number>();
  for (const { dish, quantity } of lines) wanted.set(dish, (wanted.get(dish) ?? 0) + quantity);
  for (const [index, quantity] of wanted) {
    const dish = model.dishes[index] as Dish;
    if (!dish.available || (dish.portions !== null && dish.portions < quantity)) return 409;
  }
  for (const [index, quantity] of wanted) {
    const dish = model.dishes[index] as Dish;
    if (dish.portions !== null) dish.portions -= quantity;
  }
  const items = lines.map(({ dish, quantity }): Item => ({
    dish,
    quantity,
    status: 'received',
    reserved: model.dishes[dish]?.portions !== null,
  }));
  model.orders.push({ items, table, version: 1 });
  return 201;
}

function cancel(model: Model, item: Item): void {
  const dish = model.dishes[item.dish] as Dish;
  if (item.status === 'received' && item.reserved && dish.portions !== null) dish.portions += item.quantity;
  item.status = 'cancelled';
}

/** Sets an item's status as staff. Returns 200 or 409. */
export function moveItem(model: Model, at: { order: number; item: number }, to: Status): number {
  const order = model.orders[at.order] as Order;
  const item = order.items[at.item] as Item;
  if (item.status === to) return 200;
  const stepwise =
    Math.abs(stepOf(item.status) - stepOf(to)) === 1 && item.status !== 'cancelled' && to !== 'cancelled';
  const cancellable = to === 'cancelled' && item.status !== 'delivered';
  if (item.status === 'cancelled' || !(stepwise || cancellable)) return 409;
  if (to === 'cancelled') cancel(model, item);
  else item.status = to;
  order.version++;
  return 200;
}

/** Sets an order's status as staff. Returns 200 or 409. */
export function moveOrder(model: Model, order: number, to: Status): number {
  const target = model.orders[order] as Order;
  const from = statusOf(target);
  if (from === to) return 200;
  if (from === 'cancelled') return 409;
  if (to === 'cancelled') {
    if (from === 'delivered') return 409;
    for (const item of activeItems(target)) if (item.status !== 'delivered') cancel(model, item);
  } else if (stepOf(to) === stepOf(from) + 1) {
    for (const item of activeItems(target)) if (stepOf(item.status) < stepOf(to)) item.status = to;
  } else if (stepOf(to) === stepOf(from) - 1) {
    if (activeItems(target).some(({ status }) => stepOf(status) > stepOf(from))) return 409;
    for (const item of activeItems(target)) if (item.status === from) item.status = to;
  } else return 409;
  target.version++;
  return 200;
}

export function moveTable(model: Model, order: number, table: string): void {
  const target = model.orders[order] as Order;
  if (target.table === table) return;
  target.table = table;
  target.version++;
}
