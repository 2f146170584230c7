import { createApi } from '@comanda/shared/http/api';
import { serve } from '@comanda/shared/http/serve';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { createOutbox } from '@comanda/shared/messaging/outbox';
import { createOutboxStore, prepareOutbox } from '@comanda/shared/messaging/outbox-store';
import { createPublisher } from '@comanda/shared/messaging/publisher';
import type { Message } from '@comanda/shared/messaging/publisher';
import { connectMongo, mongoProblem } from '@comanda/shared/mongo/connection';
import { closeInOrder } from '@comanda/shared/runtime/lifecycle';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import type { OrdersConfig } from './config.ts';
import { createHouseDay } from './house/house.ts';
import { createHouseStore } from './house/house-store.ts';
import { serveOrdering } from './house/ordering-routes.ts';
import { createAddDish } from './menu/add-dish.ts';
import { createChangeDish } from './menu/change-dish.ts';
import { serveMenu } from './menu/menu-routes.ts';
import { createMenuStore } from './menu/menu-store.ts';
import { createChangeOrder } from './orders/change-order.ts';
import { createDeskMetrics } from './orders/desk-metrics.ts';
import { createOrderDesk } from './orders/order-desk.ts';
import { serveOrders } from './orders/order-routes.ts';
import { createOrderStore } from './orders/order-store.ts';
import { createTurns } from './orders/turns.ts';
import { createTransactions } from '@comanda/shared/mongo/transactions';

/** Starts the service; it listens at once and waits for its database and its broker. */
export async function startOrders(config: OrdersConfig, logger: Logger): Promise<Running> {
  const metrics = createMetrics('orders');
  const mongo = connectMongo({
    uri: config.mongodbUri,
    database: config.mongodbDatabase,
    logger,
    prepare: async () => {
      await Promise.all(stores.map(({ prepare }) => prepare()));
      await Promise.all(stores.map(({ collection }) => prepareOutbox(collection)));
    },
  });
  const orders = createOrderStore(mongo.connection);
  const menu = createMenuStore(mongo.connection);
  const house = createHouseStore(mongo.connection);
  const stores = [orders, menu, house];
  const publisher = createPublisher({ url: config.rabbitmqUrl, name: 'orders', logger });
  const outboxOf = (name: string, store: (typeof stores)[number]) =>
    createOutbox({ name, store: createOutboxStore(store.collection), isReady: mongo.isUp, publisher, logger, metrics });
  const outboxes = {
    orders: outboxOf('orders', orders),
    menu: outboxOf('menu', menu),
    house: outboxOf('house', house),
  };
  const onWritten = (where: keyof typeof outboxes, documentId: unknown, messages: readonly Message[]): void =>
    outboxes[where].publishNow(documentId, messages);
  const transactions = createTransactions({ connection: mongo.connection, isUp: mongo.isUp, logger });
  const { currency } = config;
  const addDish = createAddDish({ menu, house, currency, onWritten: outboxes.menu.publishNow });
  const changeDish = createChangeDish({ menu, onWritten: outboxes.menu.publishNow });
  const desk = createOrderDesk({
    orders,
    menu,
    house,
    transactions,
    onWritten,
    houseDay: createHouseDay(config.timeZone),
    currency,
    queueLimit: config.orderQueueLimit,
    logger,
    metrics: createDeskMetrics(metrics),
  });
  const changeOrder = createChangeOrder({ orders, desk, inTurn: createTurns(), onWritten: outboxes.orders.publishNow });
  const tokens = createTokenVerifier({
    jwksUrl: config.jwksUrl,
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    logger,
  });
  const api = createApi({
    logger,
    metrics,
    tokens,
    translate: [mongoProblem],
    dependencies: [
      { name: 'mongodb', need: 'hard', isUp: mongo.isUp },
      { name: 'rabbitmq', need: 'soft', isUp: publisher.isUp },
    ],
  });
  serveMenu(api, { menu, addDish, changeDish });
  serveOrdering(api, { house, onWritten: outboxes.house.publishNow });
  serveOrders(api, { orders, desk, changeOrder });
  const { url, close } = await serve(api.app, config);
  return {
    url,
    close: () =>
      closeInOrder(
        [
          { what: 'http', close },
          { what: 'order desk', close: desk.close },
          { what: 'outbox of orders', close: outboxes.orders.close },
          { what: 'outbox of menu', close: outboxes.menu.close },
          { what: 'outbox of house', close: outboxes.house.close },
          { what: 'rabbitmq', close: () => publisher.close() },
          { what: 'token keys', close: tokens.close },
          { what: 'transactions', close: transactions.close },
          { what: 'mongodb', close: mongo.close },
        ],
        logger,
      ),
  };
}
