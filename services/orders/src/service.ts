import { createApi } from '@comanda/shared/http/api';
import { askAuthStepup } from '@comanda/shared/http/ask-auth-stepup';
import { createKeySet } from '@comanda/shared/http/key-set';
import { serve } from '@comanda/shared/http/serve';
import { createConsume } from '@comanda/shared/http/step-up';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { publishHeartbeats, type HeartbeatFacts } from '@comanda/shared/messaging/heartbeat';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import { createOutboxStore } from '@comanda/shared/messaging/outbox-store';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import { assertPrepared } from '@comanda/shared/mongo/prepare-database';
import { tooManyWrites } from '@comanda/shared/mongo/retry-on-conflict';
import { createUnitOfWork } from '@comanda/shared/service/unit-of-work';
import type { Clock } from '@comanda/shared/runtime/clock';
import { createKeyedMutex } from '@comanda/shared/runtime/keyed-mutex';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { openInfrastructure } from '@comanda/shared/service/open-infrastructure';
import { versionOf } from '@comanda/shared/runtime/version';
import { createOrderWriterMetrics } from './batch/order-writer-metrics.ts';
import { createOrderWriter } from './batch/order-writer.ts';
import { registerAccountPaymentRoutes } from './bills/account-payment-routes.ts';
import { registerBillRoutes } from './bills/bill-routes.ts';
import { keepSweepingReservations } from './bills/expire-reservations.ts';
import { registerCallRoutes } from './calls/call-routes.ts';
import { registerCashDrawerRoutes } from './cash-drawers/cash-drawer-routes.ts';
import type { CallWrites } from './calls/call.ts';
import { outboxCollections } from './collections.ts';
import type { OrdersConfig } from './config.ts';
import type { DayWrites } from './day/close-day.ts';
import { registerDayRoutes } from './day/day-routes.ts';
import { createOpenBills } from './day/open-bills.ts';
import { registerExceptionRoutes } from './exceptions/exception-routes.ts';
import { findHeartbeatFacts } from './heartbeat-facts.ts';
import type { RecordedWrites } from './menu/menu-change.ts';
import { registerMenuRoutes } from './menu/menu-routes.ts';
import { registerOptionGroupRoutes } from './menu/option-group-routes.ts';
import { keepArchiving } from './orders/archive-orders.ts';
import { registerOrderRoutes } from './orders/order-routes.ts';
import { createPictureEncoder } from './pictures/encode-picture.ts';
import { registerPictureRoutes } from './pictures/picture-routes.ts';
import { registerPixRoutes } from './pix/pix-routes.ts';
import { ordersPreparation } from './preparation.ts';
import { registerOrderingRoutes } from './restaurant/ordering-routes.ts';
import type { SettingsWrites } from './restaurant/put-restaurant.ts';
import { registerReportRoutes } from './reports/report-routes.ts';
import { registerRestaurantRoutes } from './restaurant/restaurant-routes.ts';
import { registerScreenRoutes } from './screens/screen-routes.ts';
import type { SeatingWrites } from './seatings/end-seating.ts';
import { registerSeatingRoutes } from './seatings/seating-routes.ts';
import { registerStationRoutes } from './stations/station-routes.ts';
import { createStores } from './stores.ts';

/** The time after which a call gets a 503, in milliseconds. So callers get a response within 2 s, even during an outage. */
const maxResponseMs = 1800;
/** The time limit for an upload, in milliseconds. An upload may wait for other pictures. The gateway waits up to 10 s for it. */
const uploadTimeLimitMs = 8000;
type Options = {
  /** Returns the current time in milliseconds since the epoch. All decisions use it. */
  clock?: Clock;
  /** The time after which a call gets a 503 while its work continues, in milliseconds. Most tests set more; outage tests don't. */
  responseTimeLimitMs?: number;
};

/** Starts the service. It listens immediately, and returns 503 until its database is available and prepared. */
export async function startOrders(
  config: OrdersConfig,
  logger: Logger,
  { clock = Date.now, responseTimeLimitMs = maxResponseMs }: Options = {},
): Promise<Running> {
  const { currency, jwksUrl } = config;
  const version = versionOf(import.meta.url);
  const { drain, metrics, shutdown, tracer, mongo, transactions, publisher, openOutbox } = openInfrastructure({
    service: 'orders',
    version,
    config,
    logger,
    onConnect: (connection) => assertPrepared(connection, ordersPreparation),
  });
  const { connection, isUp: isReady } = mongo;

  const service = { name: 'orders', secret: config.serviceSecret } as const;
  const [issuer, audience] = [config.tokenIssuer, config.tokenAudience];
  const tokens = createTokenVerifier({ jwksUrl, service, issuer, audience, logger });
  shutdown.add('token keys', tokens.close);
  const receiptKeys = createKeySet({ jwksUrl, service, purpose: 'receipts', logger });
  shutdown.add('receipt keys', receiptKeys.close);
  const authStepup = askAuthStepup(config.authStepupUrl, { service, tracer });
  shutdown.add('auth-stepup', authStepup.close);

  const { orders, archive, menu, optionGroups, changes, pictures, bills, exceptions, calls, seatings, ...stores } =
    createStores(connection);
  const { stations, screens, counters, pixDecisions, ids, settings, restaurantChanges, pause, databaseEpoch } = stores;
  const { cashDrawers, movements, counts, dayBills, days, statistics, closedBills, ordered } = stores;

  const collections = outboxCollections(connection);
  const outboxStores = Object.values(collections).map((collection) => createOutboxStore(collection, clock));
  const findFacts = async (): Promise<HeartbeatFacts> =>
    isReady() ? findHeartbeatFacts({ outboxStores, orders, menu, optionGroups, databaseEpoch }) : {};
  shutdown.add('heartbeats', publishHeartbeats({ publisher, source: '/orders', findFacts, logger }));
  const open = (name: keyof typeof collections): Outbox =>
    openOutbox(name, createOutboxStore(collections[name], clock));
  const outboxes = {
    orders: open('orders'),
    menu: open('menu'),
    optionGroups: open('optionGroups'),
    restaurant: open('restaurant'),
    bills: open('bills'),
    calls: open('calls'),
    seatings: open('seatings'),
    days: open('days'),
  };
  const writes = { transactions, records: null, outboxes };
  const recordedWrites: RecordedWrites = createUnitOfWork({ ...writes, records: changes, timeLimitMs: 1400 });
  const settingsWrites: SettingsWrites = createUnitOfWork({ ...writes, records: restaurantChanges, timeLimitMs: 1000 });
  const callWrites: CallWrites = createUnitOfWork({ ...writes, timeLimitMs: 1400 });
  const seatingWrites: SeatingWrites = createUnitOfWork({ ...writes, timeLimitMs: 1200 });
  const cashWrites = createUnitOfWork({ ...writes, timeLimitMs: 1200, isRetryable: isDuplicate });
  const dayWrites: DayWrites = createUnitOfWork({ ...writes, timeLimitMs: 1400, isRetryable: isDuplicate });
  const writer = createOrderWriter({
    orders,
    menu,
    optionGroups,
    counters,
    pause,
    bills,
    seatings,
    exceptions,
    pixDecisions,
    cashDrawers,
    movements,
    transactions,
    outboxes,
    currency,
    clock,
    logger,
    restaurantClock: config,
    customerLimits: {
      openOrders: config.customerOpenOrders,
      openItems: config.customerOpenItems,
      portionPercent: config.customerPortionPercent,
    },
    maxQueue: config.orderQueueLimit,
    metrics: createOrderWriterMetrics(metrics),
  });
  shutdown.add('order writer', writer.close);
  shutdown.add('reservations', keepSweepingReservations({ bills, writer, clock, isReady, logger }));
  const { archiveAfterDays: afterDays } = config;
  shutdown.add('archive', keepArchiving({ archive, afterDays, clock, isReady, logger }));
  const encoder = createPictureEncoder();
  shutdown.add('pictures', encoder.close);

  const api = createApi({
    logger,
    version,
    metrics,
    tracer,
    tokens,
    uploadTimeLimitMs,
    timeLimitMs: responseTimeLimitMs,
    callerSecrets: config.callerSecrets,
    translate: [mongoProblem],
    dependencies: [
      drain.dependency,
      tokens.dependency,
      { name: 'mongodb', need: 'hard', isUp: isReady },
      { name: 'rabbitmq', need: 'soft', isUp: publisher.isUp },
    ],
  });
  const consumeForMenu = config.menuStepUp === 'on' ? createConsume(authStepup) : null;
  const ofMenu = { menu, optionGroups, ids, recordedWrites, consumeForMenu, clock };
  registerMenuRoutes(api, { ...ofMenu, changes, pictures, currency });
  registerOptionGroupRoutes(api, ofMenu);
  registerPictureRoutes(api, { pictures, menu, settings, encoder, clock });
  const fixed = { currency, timeZone: config.timeZone, dayStartsAt: config.dayStartsAt };
  registerOrderingRoutes(api, { pause, recordedWrites, clock });
  registerRestaurantRoutes(api, { settings, pictures, settingsWrites, restaurantChanges, fixed, clock });
  registerStationRoutes(api, { stations, clock });
  registerScreenRoutes(api, { screens, clock });
  registerCallRoutes(api, { calls, seatings, ids, callWrites, outbox: outboxes.calls, clock });
  const ending = { seatings, counters, seatingWrites, calls, ids, callWrites, clock };
  registerSeatingRoutes(api, ending);
  const changing = { mutex: createKeyedMutex<number>({ onTimeout: tooManyWrites }), outbox: outboxes.orders };
  const { customerOrders } = config;
  registerOrderRoutes(api, { orders, archive, databaseEpoch, writer, customerOrders, ...changing, clock });
  registerBillRoutes(api, { bills, orders, writer, ...ending });
  registerExceptionRoutes(api, { exceptions });
  const cash = { cashDrawers, movements, counts, counters, bills, dayBills, transactions, cashWrites, clock };
  registerCashDrawerRoutes(api, cash);
  const consume = createConsume(authStepup);
  const limits = { menu, settings, stations, restaurantChanges };
  const ofDays = { ...cash, ...limits, exceptions, days, statistics, closedBills, ordered, restaurantClock: config };
  const openBills = createOpenBills(dayBills);
  registerDayRoutes(api, { ...ofDays, openBills, dayWrites, consume, logger });
  registerReportRoutes(api, { ...ofDays, openBills, timeZone: config.timeZone });
  registerAccountPaymentRoutes(api, { bills, writer, receiptKeys, clock });
  registerPixRoutes(api, { bills, pixDecisions, writer, receiptKeys, clock });

  const http = await serve(api.app, { ...config, drain });
  shutdown.add('http', http.close);
  return { url: http.url, drain, close: shutdown.close };
}
