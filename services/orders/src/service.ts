import { eventTypesOf } from '@comanda/contracts/events';
import { createApi } from '@comanda/shared/http/api';
import { askAuthStepup } from '@comanda/shared/http/ask-auth-stepup';
import { createKeySet } from '@comanda/shared/http/key-set';
import { serve } from '@comanda/shared/http/serve';
import { createConsume } from '@comanda/shared/http/step-up';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { createOutbox, type Outbox, type OutboxStore } from '@comanda/shared/messaging/outbox';
import { createOutboxStore } from '@comanda/shared/messaging/outbox-store';
import { publishHeartbeats, type HeartbeatFacts } from '@comanda/shared/messaging/heartbeat';
import { createPublisher } from '@comanda/shared/messaging/publisher';
import { connectMongo, mongoProblem, type MongoLink } from '@comanda/shared/mongo/connection';
import { assertPrepared } from '@comanda/shared/mongo/prepare-database';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import { createDrain } from '@comanda/shared/runtime/drain';
import { createKeyedMutex } from '@comanda/shared/runtime/keyed-mutex';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createShutdown } from '@comanda/shared/runtime/shutdown';
import { versionOf } from '@comanda/shared/runtime/version';
import { openTracer } from '@comanda/shared/tracing/open-tracer';
import { registerAccountPaymentRoutes } from './bills/account-payment-routes.ts';
import { createCallStore } from './calls/call-store.ts';
import { registerCallRoutes } from './calls/call-routes.ts';
import { createEndCalls } from './calls/end-calls.ts';
import { createCallWriter } from './calls/write-calls.ts';
import { registerBillRoutes } from './bills/bill-routes.ts';
import { createBillStore } from './bills/bill-store.ts';
import { keepSweepingReservations } from './bills/expire-reservations.ts';
import type { OrdersConfig } from './config.ts';
import { registerExceptionRoutes } from './exceptions/exception-routes.ts';
import { createExceptionStore } from './exceptions/exception-store.ts';
import { findHeartbeatFacts } from './heartbeat-facts.ts';
import { createMenuChangeStore } from './menu/menu-change-store.ts';
import { registerMenuRoutes } from './menu/menu-routes.ts';
import { createMenuStore } from './menu/menu-store.ts';
import { keepArchiving } from './orders/archive-orders.ts';
import { createOrderArchiveStore } from './orders/order-archive-store.ts';
import { createRecordedWriter } from './menu/write-recorded.ts';
import { registerOrderRoutes } from './orders/order-routes.ts';
import { createOrderStore } from './orders/order-store.ts';
import { createOrderWriterMetrics } from './batch/order-writer-metrics.ts';
import { createOrderWriter } from './batch/order-writer.ts';
import { ordersPreparation } from './preparation.ts';
import { createPictureEncoder } from './pictures/encode-picture.ts';
import { registerPictureRoutes } from './pictures/picture-routes.ts';
import { createPictureStore } from './pictures/picture-store.ts';
import { registerOrderingRoutes } from './restaurant/ordering-routes.ts';
import { registerScreenRoutes } from './screens/screen-routes.ts';
import { createScreenStore } from './screens/screen-store.ts';
import { registerStationRoutes } from './stations/station-routes.ts';
import { createStationStore } from './stations/station-store.ts';
import { createEndedSeatingStore } from './seatings/ended-seating-store.ts';
import { registerSeatingRoutes } from './seatings/seating-routes.ts';
import { createRestaurantStore } from './restaurant/restaurant-store.ts';

/** In milliseconds. Callers get a response within 2 s, whatever is down or slow. */
const maxResponseMs = 1800;
/** The time limit for an upload, in milliseconds. An upload waits for other pictures, and the gateway waits for 10 s. */
const uploadTimeLimitMs = 8000;

type Options = {
  /** The time used for all decisions, in milliseconds since the epoch. */
  clock?: Clock;
  /** When a call gets a 503 while its work continues, in milliseconds. Tests allow more time, except tests of outages. */
  responseTimeLimitMs?: number;
};

/** Starts the service. It listens immediately, and responds with 503 until its database is available and prepared. */
export async function startOrders(
  config: OrdersConfig,
  logger: Logger,
  { clock = Date.now, responseTimeLimitMs = maxResponseMs }: Options = {},
): Promise<Running> {
  const { currency } = config;
  const version = versionOf(import.meta.url);
  const metrics = createMetrics('orders');
  const drain = createDrain();
  const shutdown = createShutdown(logger);
  const tracer = openTracer({ config, service: 'orders', version, logger, metrics });
  shutdown.add('traces', tracer.close);

  const mongo = connectMongo({
    uri: config.mongodbUri,
    database: config.mongodbDatabase,
    logger,
    onConnect: (connection) => assertPrepared(connection, ordersPreparation),
  });
  shutdown.add('mongodb', mongo.close);
  const { orders, menu, restaurant, bills, calls, seatings } = createStores(mongo.connection);
  const changes = createMenuChangeStore(mongo.connection);
  const exceptions = createExceptionStore(mongo.connection);
  const transactions = createTransactions({ connection: mongo.connection, isUp: mongo.isUp, logger });
  shutdown.add('transactions', transactions.close);
  const writeRecorded = createRecordedWriter({ transactions, changes, mutex: createKeyedMutex() });

  const { jwksUrl } = config;
  const service = { name: 'orders', secret: config.serviceSecret } as const;
  const tokens = createTokenVerifier({
    jwksUrl,
    service,
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    logger,
  });
  shutdown.add('token keys', tokens.close);
  const receiptKeys = createKeySet({ jwksUrl, service, purpose: 'receipts', logger });
  shutdown.add('receipt keys', receiptKeys.close);

  const authStepup = askAuthStepup(config.authStepupUrl, { service, tracer });
  shutdown.add('auth-stepup', authStepup.close);

  const publisher = createPublisher({ url: config.rabbitmqUrl, name: 'orders', logger });
  shutdown.add('rabbitmq', () => publisher.close());
  const outboxStores: OutboxStore[] = [];
  const findFacts = async (): Promise<HeartbeatFacts> =>
    mongo.isUp() ? findHeartbeatFacts({ outboxStores, orders, menu, restaurant }) : {};
  shutdown.add('heartbeats', publishHeartbeats({ publisher, source: '/orders', findFacts }));
  const types = eventTypesOf('/orders');
  const openOutbox = (name: string, { collection }: Store): Outbox => {
    const store = createOutboxStore(collection, clock);
    outboxStores.push(store);
    const outbox = createOutbox({ name, store, types, isReady: mongo.isUp, publisher, logger, metrics, tracer });
    shutdown.add(`outbox of ${name}`, outbox.close);
    return outbox;
  };
  const outboxes = {
    orders: openOutbox('orders', orders),
    menu: openOutbox('menu', menu),
    restaurant: openOutbox('restaurant', restaurant),
    bills: openOutbox('bills', bills),
    calls: openOutbox('calls', calls),
    seatings: openOutbox('seatings', seatings),
  };

  const writer = createOrderWriter({
    orders,
    menu,
    restaurant,
    bills,
    seatings,
    exceptions,
    transactions,
    outboxes,
    restaurantClock: config,
    currency,
    customerLimits: {
      openOrders: config.customerOpenOrders,
      openItems: config.customerOpenItems,
      portionPercent: config.customerPortionPercent,
    },
    maxQueue: config.orderQueueLimit,
    clock,
    logger,
    metrics: createOrderWriterMetrics(metrics),
  });
  shutdown.add('order writer', writer.close);

  shutdown.add('reservations', keepSweepingReservations({ bills, writer, clock, isReady: mongo.isUp, logger }));

  const archive = createOrderArchiveStore(mongo.connection);
  const { archiveAfterDays: afterDays } = config;
  shutdown.add('archive', keepArchiving({ archive, afterDays, clock, isReady: mongo.isUp, logger }));

  const api = createApi({
    logger,
    version,
    metrics,
    tracer,
    tokens,
    callerSecrets: config.callerSecrets,
    translate: [mongoProblem],
    timeLimitMs: responseTimeLimitMs,
    uploadTimeLimitMs,
    dependencies: [
      drain.dependency,
      tokens.dependency,
      { name: 'mongodb', need: 'hard', isUp: mongo.isUp },
      { name: 'rabbitmq', need: 'soft', isUp: publisher.isUp },
    ],
  });
  const consumeForMenu = config.menuStepUp === 'on' ? createConsume(authStepup) : null;
  const menuDeps = { menu, restaurant, changes, writeRecorded, outbox: outboxes.menu, currency, clock };
  const pictures = createPictureStore(mongo.connection);
  registerMenuRoutes(api, { ...menuDeps, pictures, consumeForMenu });
  const encoder = createPictureEncoder();
  shutdown.add('pictures', encoder.close);
  registerPictureRoutes(api, { pictures, menu, encoder, clock });
  const fixed = { currency, timeZone: config.timeZone, dayStartsAt: config.dayStartsAt };
  registerOrderingRoutes(api, { restaurant, writeRecorded, outbox: outboxes.restaurant, clock, fixed });
  registerStationRoutes(api, { stations: createStationStore(mongo.connection) });
  registerScreenRoutes(api, { screens: createScreenStore(mongo.connection), clock });
  const callDeps = {
    calls,
    seatings,
    writeCalls: createCallWriter({ transactions, restaurant, mutex: createKeyedMutex() }),
    outbox: outboxes.calls,
    clock,
  };
  registerCallRoutes(api, callDeps);
  const endCalls = createEndCalls(callDeps);
  const seatingDeps = { seatings, restaurant, transactions, endCalls, outbox: outboxes.seatings, clock };
  registerSeatingRoutes(api, seatingDeps);
  registerOrderRoutes(api, {
    orders,
    archive,
    restaurant,
    writer,
    customerOrders: config.customerOrders,
    mutex: createKeyedMutex(),
    outbox: outboxes.orders,
    clock,
  });

  registerBillRoutes(api, { bills, orders, writer, ...seatingDeps });
  registerExceptionRoutes(api, { exceptions });
  registerAccountPaymentRoutes(api, { bills, writer, receiptKeys, clock });

  const http = await serve(api.app, { ...config, drain });
  shutdown.add('http', http.close);
  return { url: http.url, drain, close: shutdown.close };
}

/** Creates the stores. They have no state, so two sets on one connection are equivalent. */
export const createStores = (connection: MongoLink['connection']) => ({
  orders: createOrderStore(connection),
  menu: createMenuStore(connection),
  restaurant: createRestaurantStore(connection),
  bills: createBillStore(connection),
  calls: createCallStore(connection),
  seatings: createEndedSeatingStore(connection),
});
type Store = ReturnType<typeof createStores>[keyof ReturnType<typeof createStores>];
