import { createOutboxStore } from '@comanda/shared/messaging/outbox-store';
import { assertPrepared } from '@comanda/shared/mongo/prepare-database';
import { connectRedis } from '@comanda/shared/redis/connection';
import { watchRedis } from '@comanda/shared/redis/watch-redis';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Dependency } from '@comanda/shared/runtime/dependency';
import type { Logger } from '@comanda/shared/runtime/logger';
import { openInfrastructure } from '@comanda/shared/service/open-infrastructure';
import type { Shutdown } from '@comanda/shared/runtime/shutdown';
import type { AuthStepupConfig } from './config.ts';
import { openKeys } from './keys/open-keys.ts';
import { authStepupPreparation } from './preparation.ts';
import { createAuditedWork } from './security-log/audited-work.ts';
import { createStores } from './stores.ts';

type Options = { config: AuthStepupConfig; version: string; logger: Logger; clock: Clock };

/**
 * Creates the keys, the connections to MongoDB, Redis and the broker, the stores and the outboxes. Returns immediately, and
 * connects in the background.
 */
export function openAuthInfrastructure({ config, version, logger, clock }: Options) {
  const { load, ...keys } = openKeys({ config, logger, clock });
  const { mongo, publisher, openOutbox, transactions, ...opened } = openInfrastructure({
    service: 'auth-stepup',
    version,
    config,
    logger,
    onConnect: async (connection) => {
      await assertPrepared(connection, authStepupPreparation);
      await load(connection);
    },
  });
  const { drain, shutdown } = opened;
  shutdown.add('keys', keys.keys.close);
  const { redis, limitsRedis, dependencies } = openRedis({ config, logger, shutdown });

  const stores = createStores({ connection: mongo.connection, transactions, redis });
  const { users, tables, stops, audit } = stores;
  shutdown.add('user insertions', users.close);
  const { publishNow } = openOutbox('users', createOutboxStore(users.collection, clock));
  const outboxes = {
    tables: openOutbox('tables', createOutboxStore(tables.collection, clock)),
    stops: openOutbox('stops', createOutboxStore(stops.collection, clock)),
  };
  return {
    ...opened,
    ...keys,
    limitsRedis,
    stores,
    unitOfWork: createAuditedWork({ transactions, audit, outboxes }),
    /** Publishes events about users, such as a changed PIN. */
    publishNow,
    dependencies: [
      drain.dependency,
      { name: 'mongodb', need: 'hard', isUp: mongo.isUp },
      ...dependencies,
      { name: 'rabbitmq', need: 'soft', isUp: publisher.isUp },
    ] satisfies Dependency[],
  };
}

/**
 * How long a Redis command may take, in milliseconds. Leaves time for one hash, so that the caller still gets a 503 within 2 s.
 */
const redisTimeoutMs = 800;
/** How long a limit may wait for Redis, in milliseconds. Short, because a slow count must not delay the request. */
const limitsTimeoutMs = 50;

/** Connects to Redis, with a second connection for limits, and checks its settings regularly. */
function openRedis({ config, logger, shutdown }: Pick<Options, 'config' | 'logger'> & { shutdown: Shutdown }) {
  const options = { url: config.redisUrl, prefix: config.redisPrefix, logger };
  const link = connectRedis({ ...options, timeoutMs: redisTimeoutMs });
  shutdown.add('redis', link.close);
  const appendOnlyFile = config.nodeEnv === 'production' ? 'required' : 'optional';
  const watch = watchRedis({ link, appendOnlyFile, logger });
  shutdown.add('checks of Redis', watch.close);
  const limits = connectRedis({ ...options, timeoutMs: limitsTimeoutMs });
  shutdown.add('redis of limits', limits.close);
  const dependencies: Dependency[] = [
    { name: 'redis', need: 'soft', isUp: link.isUp, warnings: watch.warnings },
    { name: 'redis scripts', need: 'hard', isUp: watch.mayRunScripts },
  ];
  return { redis: link.client, limitsRedis: limits.client, dependencies };
}
