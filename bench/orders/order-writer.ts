import { connectMongo } from '@comanda/shared/mongo/connection';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { createLogger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createHouseDay } from '../../services/orders/src/house/house.ts';
import { createHouseStore } from '../../services/orders/src/house/house-store.ts';
import { dishChanged, newDish } from '../../services/orders/src/menu/menu-item.ts';
import { createMenuStore } from '../../services/orders/src/menu/menu-store.ts';
import { createDeskMetrics } from '../../services/orders/src/orders/desk-metrics.ts';
import { createOrderDesk } from '../../services/orders/src/orders/order-desk.ts';
import { createOrderStore } from '../../services/orders/src/orders/order-store.ts';
import type { Line, Placement } from '../../services/orders/src/orders/placement.ts';
import { startOwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';

export type Bench = Awaited<ReturnType<typeof startDesk>>;
const dishCount = 200;

/** The desk and its stores on a MongoDB of its own, with 200 dishes; nothing listens, nothing is published. */
export async function startDesk() {
  const mongod = await startOwnServer('mongodb');
  const logger = createLogger({ service: 'bench', level: 'error' });
  const mongo = connectMongo({
    uri: mongod.url,
    database: 'bench',
    logger,
    prepare: async () => {
      await Promise.all([orders, menu, house].map(({ prepare }) => prepare()));
    },
  });
  const orders = createOrderStore(mongo.connection);
  const menu = createMenuStore(mongo.connection);
  const house = createHouseStore(mongo.connection);
  const transactions = createTransactions({ connection: mongo.connection, isUp: mongo.isUp, logger });
  const desk = createOrderDesk({
    orders,
    menu,
    house,
    transactions,
    onWritten: () => undefined,
    houseDay: createHouseDay('UTC'),
    currency: 'BRL',
    queueLimit: 2048,
    logger,
    metrics: createDeskMetrics(createMetrics('bench')),
  });
  await until(mongo.isUp, { what: 'MongoDB', timeoutMs: 20_000 });
  for (let id = 1; id <= dishCount; id++) {
    const dish = { ...newDish(id, 'BRL'), name: `Dish ${id}`, priceMinor: 3250 };
    await menu.add({ dish, message: dishChanged(dish, { at: new Date(), traceparent: '' }) });
  }
  return {
    mongod,
    connection: mongo.connection,
    orders,
    menu,
    desk,
    house,
    transactions,
    /** Every dish has so many portions, or none has a limit. */
    setPortions: async (portions: number | null): Promise<void> => {
      await menu.collection.updateMany({}, { $set: { portions_left: portions, outbox: [] } });
    },
    forget: async (): Promise<void> => {
      await orders.collection.deleteMany({});
    },
    stop: async (): Promise<void> => {
      await desk.close();
      await transactions.close();
      await mongo.close();
      await mongod.discard();
    },
  };
}

/** Three dishes, two of each; with `hot` the first is always the same one. */
export function randomLines(hot?: 'hot'): Line[] {
  const chosen = new Set<number>(hot ? [1] : []);
  while (chosen.size < 3) chosen.add(1 + Math.floor(Math.random() * dishCount));
  return [...chosen].map((dish) => ({ dish, quantity: 2, remarks: 'sem pimenta' }));
}

export const placementOf = (lines: readonly Line[]): Placement => ({
  by: { id: 1 + Math.floor(Math.random() * 1000), name: 'Ana', role: 'customer' },
  place: { table: '12', seating: null },
  lines,
  allergies: null,
  call: null,
  traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01',
});

/** What `hands` callers do per second, each one call after the other, over `seconds` after a short warm-up. */
export async function perSecond(
  call: () => Promise<unknown>,
  { hands, seconds = 3 }: { hands: number; seconds?: number },
) {
  const run = async (forSeconds: number): Promise<number> => {
    const begun = performance.now();
    const end = begun + forSeconds * 1000;
    let done = 0;
    const hand = async (): Promise<void> => {
      for (; performance.now() < end; done++) await call();
    };
    await Promise.all(Array.from({ length: hands }, hand));
    return done / ((performance.now() - begun) / 1000);
  };
  await run(0.7);
  return run(seconds);
}
