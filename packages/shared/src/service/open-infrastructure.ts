import { eventTypesOf } from '@comanda/contracts/events';
import { createOutbox, type Outbox, type OutboxStore } from '../messaging/outbox.ts';
import { createPublisher } from '../messaging/publisher.ts';
import { connectMongo, type MongoLink } from '../mongo/connection.ts';
import { createTransactions } from '../mongo/transactions.ts';
import { openTracer } from '../tracing/open-tracer.ts';
import type { TracingConfig } from '../tracing/tracing-settings.ts';
import { createDrain } from '../runtime/drain.ts';
import type { Logger } from '../runtime/logger.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { createShutdown } from '../runtime/shutdown.ts';

export type Infrastructure = ReturnType<typeof openInfrastructure>;
type Options = {
  service: 'auth-stepup' | 'orders' | 'transfers';
  /** The service's version, for traces. */
  version: string;
  config: TracingConfig & { mongodbUri: string; mongodbDatabase: string; rabbitmqUrl: string };
  logger: Logger;
  /**
   * Called once the first connection to MongoDB is open, and retried until it succeeds. Until then, the database is reported as
   * down.
   */
  onConnect: (connection: MongoLink['connection']) => Promise<void>;
};

/**
 * Opens what every service with its own database needs: metrics, traces, MongoDB with transactions, and a publisher with
 * outboxes. Returns immediately and connects in the background. `shutdown` closes all of this after everything that the service
 * adds later.
 */
export function openInfrastructure({ service, version, config, logger, onConnect }: Options) {
  const metrics = createMetrics(service);
  const shutdown = createShutdown(logger);
  const tracer = openTracer({ config, service, version, logger, metrics });
  shutdown.add('traces', tracer.close);
  const mongo = connectMongo({ uri: config.mongodbUri, database: config.mongodbDatabase, logger, onConnect });
  shutdown.add('mongodb', mongo.close);
  const transactions = createTransactions({ ...mongo, logger });
  shutdown.add('transactions', transactions.close);
  const publisher = createPublisher({ url: config.rabbitmqUrl, name: service, logger });
  shutdown.add('rabbitmq', () => publisher.close());

  const common = { types: eventTypesOf(`/${service}`), isReady: mongo.isUp, publisher, logger, metrics, tracer };
  /** Opens the outbox that publishes the events in `store`. `name` is its name in metrics and logs. */
  const openOutbox = (name: string, store: OutboxStore): Outbox => {
    const outbox = createOutbox({ name, store, ...common });
    shutdown.add(`outbox of ${name}`, outbox.close);
    return outbox;
  };
  return { drain: createDrain(), metrics, shutdown, tracer, mongo, transactions, publisher, openOutbox };
}
