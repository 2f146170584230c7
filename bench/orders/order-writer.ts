import { connectMongo } from '@comanda/shared/mongo/connection';
import { prepareDatabase } from '@comanda/shared/mongo/prepare-database';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { createLogger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createCashDrawerStore } from '../../services/orders/src/cash-drawers/cash-drawer-store.ts';
import { createMovementStore } from '../../services/orders/src/cash-drawers/movement-store.ts';
import { createExceptionStore } from '../../services/orders/src/exceptions/exception-store.ts';
import { createPixDecisionStore } from '../../services/orders/src/pix/pix-decision-store.ts';
import { dishChanged, newDish } from '../../services/orders/src/menu/menu-item.ts';
import { createMenuStore } from '../../services/orders/src/menu/menu-store.ts';
import { createOptionGroupStore } from '../../services/orders/src/menu/option-group-store.ts';
import type { Line, PlaceOrder } from '../../services/orders/src/batch/write.ts';
import { createBillStore } from '../../services/orders/src/bills/bill-store.ts';
import { createOrderStore } from '../../services/orders/src/orders/order-store.ts';
import { createOrderWriterMetrics } from '../../services/orders/src/batch/order-writer-metrics.ts';
import { createOrderWriter } from '../../services/orders/src/batch/order-writer.ts';
import { createCounterStore } from '../../services/orders/src/restaurant/counter-store.ts';
import { createOrderingPauseStore } from '../../services/orders/src/restaurant/ordering-pause-store.ts';
import { createEndedSeatingStore } from '../../services/orders/src/seatings/ended-seating-store.ts';
import { ordersPreparation } from '../../services/orders/src/preparation.ts';
import { startOwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';

export type Bench = Awaited<ReturnType<typeof startOrderWriter>>;
const dishCount = 200;

/** Starts the order writer and its stores on their own MongoDB with 200 dishes, without HTTP or publishing. */
export async function startOrderWriter() {
  const mongod = await startOwnServer('mongodb');
  const logger = createLogger({ service: 'bench', level: 'error' });
  const mongo = connectMongo({
    uri: mongod.url,
    database: 'bench',
    logger,
    onConnect: (connection) => prepareDatabase(connection, ordersPreparation, logger),
  });
  const orders = createOrderStore(mongo.connection);
  const menu = createMenuStore(mongo.connection);
  const counters = createCounterStore(mongo.connection);
  const transactions = createTransactions({ connection: mongo.connection, isUp: mongo.isUp, logger });
  const noOutbox = { publishNow: () => undefined };
  const writer = createOrderWriter({
    orders,
    menu,
    optionGroups: createOptionGroupStore(mongo.connection),
    counters,
    pause: createOrderingPauseStore(mongo.connection),
    bills: createBillStore(mongo.connection),
    seatings: createEndedSeatingStore(mongo.connection),
    exceptions: createExceptionStore(mongo.connection),
    pixDecisions: createPixDecisionStore(mongo.connection),
    cashDrawers: createCashDrawerStore(mongo.connection),
    movements: createMovementStore(mongo.connection),
    transactions,
    outboxes: { orders: noOutbox, menu: noOutbox, bills: noOutbox },
    restaurantClock: { timeZone: 'UTC', dayStartsAt: '04:00' },
    currency: 'BRL',
    customerLimits: { openOrders: null, openItems: null, portionPercent: 100 },
    maxQueue: 2048,
    clock: Date.now,
    logger,
    metrics: createOrderWriterMetrics(createMetrics('bench')),
  });
  await until(mongo.isUp, { what: 'MongoDB', timeoutMs: 20_000 });
  const dishes = Array.from({ length: dishCount }, (_each, at) => {
    const dish = { ...newDish(at + 1, 'BRL'), name: `Dish ${at + 1}`, priceMinor: 3250 };
    return { dish, message: dishChanged(dish, { at: new Date(), traceparent: '' }), isNew: true };
  });
  await menu.write(dishes);
  return {
    mongod,
    connection: mongo.connection,
    orders,
    menu,
    writer,
    counters,
    transactions,
    /** Sets the portions left for every dish. Null removes the limit. */
    setPortions: async (portions: number | null): Promise<void> => {
      await mongo.connection.collection('itensMenu').updateMany({}, { $set: { portions_left: portions, outbox: [] } });
    },
    deleteOrders: async (): Promise<void> => {
      await mongo.connection.collection('pedidos').deleteMany({});
    },
    stop: async (): Promise<void> => {
      await writer.close();
      await transactions.close();
      await mongo.close();
      await mongod.discard();
    },
  };
}

/** Returns lines for three random dishes, two portions of each. */
export function randomLines(): Line[] {
  const chosen = new Set<number>();
  while (chosen.size < 3) chosen.add(1 + Math.floor(Math.random() * dishCount));
  return [...chosen].map((dish) => ({
    dish,
    quantity: 2,
    remarks: 'sem pimenta',
    options: [],
    unitPriceMinor: null,
    measure: null,
  }));
}

export const placementOf = (lines: readonly Line[]): PlaceOrder => ({
  kind: 'place',
  context: {
    actor: { id: 1 + Math.floor(Math.random() * 1000), name: 'Ana', role: 'customer' },
    traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01',
  },
  request: null,
  location: { table: '12', seating: null },
  lines,
  allergies: null,
});

/**
 * Returns the calls per second over `seconds`, after a short warm-up. Each of the concurrent clients waits for a response before
 * its next call.
 */
export async function perSecond(
  call: () => Promise<unknown>,
  { clients, seconds = 3 }: { clients: number; seconds?: number },
) {
  const run = async (forSeconds: number): Promise<number> => {
    const started = performance.now();
    const end = started + forSeconds * 1000;
    let done = 0;
    const client = async (): Promise<void> => {
      for (; performance.now() < end; done++) await call();
    };
    await Promise.all(Array.from({ length: clients }, client));
    return done / ((performance.now() - started) / 1000);
  };
  await run(0.7);
  return run(seconds);
}
