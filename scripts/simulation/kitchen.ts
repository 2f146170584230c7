import type { Client, LiveOrder } from '@comanda/client';
import type { Evening } from './evening.ts';

type Item = LiveOrder['items'][number];
type Station = { cooks: number; queue: (() => Promise<void>)[] };

/** The number of tickets that a station works on at a time. The oldest waiting ticket is next. */
const cooksAt = { kitchen: 3, bar: 1 };
/** Durations at a real table, in seconds. */
const seconds = {
  ofTicket: { kitchen: [60, 180], bar: [20, 60] },
  untilNextItem: [5, 25],
  forgotten: [300, 600],
  untilServed: [20, 120],
} as const;
/** After how many minutes at a real table a ticket turns amber, and after how many it is late. */
const limits = { amber: 10, late: 15 };

const reasons = ['queimou', 'prato errado', 'caiu', 'devolvido'];

export type Kitchen = {
  /** Starts work on new open orders from the feed. */
  work: (orders: readonly LiveOrder[]) => void;
  /** Resolves when everything in an order has been served. */
  untilServed: (orderId: number) => Promise<void>;
};

/**
 * Sets the limits after which tickets turn amber and late, at the evening's pace. Changes only stations whose limits no manager
 * has set.
 */
export async function setLimits(manager: Client, pace: number): Promise<void> {
  const known = await manager.calls.listStations();
  const amber = Math.max(1, Math.round(limits.amber / pace));
  const late = Math.max(amber + 1, Math.round(limits.late / pace));
  for (const station of Object.keys(cooksAt))
    if (!known.some((each) => each.station === station))
      await manager.calls.setStation({ station, bumps: 3, amber_minutes: amber, late_minutes: late, dishes: [] });
}

/**
 * Opens the kitchen. Cooks prepare tickets in the order of arrival, and waiters serve what is ready. Cooks forget one ticket in
 * 20 for a few minutes.
 */
export function openKitchen({ staff, chance, pass, attempt }: Evening): Kitchen {
  const stations = { kitchen: open(cooksAt.kitchen), bar: open(cooksAt.bar) };
  /** Orders in progress. Each order is started only once, even though the feed delivers it many times. */
  const inWork = new Map<number, Promise<void>>();

  const move = (orderId: number, item: Item, status: 'preparing' | 'ready' | 'delivered'): Promise<boolean> =>
    attempt(`${item.name} of order ${orderId} is ${status}`, () =>
      staff.calls.updateOrderItem({ id: orderId, item_id: item.id, status }),
    );

  async function cook(orderId: number, items: readonly Item[], name: keyof typeof stations): Promise<void> {
    if (chance.happens(0.05)) await pass(seconds.forgotten);
    for (const item of items) if (item.status === 'received') await move(orderId, item, 'preparing');
    await pass(seconds.ofTicket[name]);
    for (const item of items) {
      if (item.status !== 'ready') await move(orderId, item, 'ready');
      await pass(seconds.untilNextItem);
    }
  }
  /** Has a dish prepared again. It arrives in the feed as a new order. */
  const remake = (orderId: number, { id, name }: Item): Promise<boolean> =>
    attempt(`${name} of order ${orderId} is prepared again`, () =>
      staff.calls.remakeItem({ id: orderId, item_id: id, quantity: 1, reason: chance.pick(reasons) }),
    );
  async function serve(orderId: number, items: readonly Item[]): Promise<void> {
    await pass(seconds.untilServed);
    for (const item of items) await move(orderId, item, 'delivered');
  }
  function begin({ id, items }: LiveOrder): Promise<void> {
    const isOpen = ({ status }: Item): boolean => status !== 'delivered' && status !== 'cancelled';
    const [atBar, atKitchen] = [(item: Item) => item.station === 'bar', (item: Item) => item.station !== 'bar'];
    const parts = [
      ['bar', items.filter(isOpen).filter(atBar)],
      ['kitchen', items.filter(isOpen).filter(atKitchen)],
    ] as const;
    const done = parts
      .filter(([, ofStation]) => ofStation.length > 0)
      .map(async ([name, ofStation]) => {
        await takeTurn(stations[name], () => cook(id, ofStation, name));
        const [first] = ofStation;
        if (first && chance.happens(0.02)) await remake(id, first);
        await serve(id, ofStation);
      });
    return Promise.all(done).then(() => undefined);
  }
  return {
    work: (orders) => {
      for (const order of orders)
        if (!inWork.has(order.id)) {
          const working = begin(order);
          inWork.set(order.id, working);
          void working.finally(() => inWork.delete(order.id));
        }
    },
    untilServed: async (orderId) => {
      // The feed may not have delivered the order yet.
      for (let tries = 0; tries < 5 && !inWork.has(orderId); tries++) await pass([10, 20]);
      await inWork.get(orderId);
    },
  };
}

const open = (cooks: number): Station => ({ cooks, queue: [] });

/** Runs `work` as soon as a cook is free, in the order of the calls. */
function takeTurn(station: Station, work: () => Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const run = async (): Promise<void> => {
      station.cooks--;
      await work();
      station.cooks++;
      resolve();
      void station.queue.shift()?.();
    };
    if (station.cooks > 0) void run();
    else station.queue.push(run);
  });
}
