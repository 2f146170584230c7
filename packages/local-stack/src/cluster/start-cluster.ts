import { findServers, type Programs, type ServerName } from '../servers/find-servers.ts';
import type { OnSpawn } from '../servers/server-process.ts';
import { startMongodbSet, type MongodbSet } from './mongodb-set.ts';
import { startRabbitmqCluster, type RabbitmqCluster } from './rabbitmq-cluster.ts';
import { startRedisSentinels, type RedisSentinels } from './redis-sentinels.ts';

type Nodes = { mongodb: MongodbSet; redis: RedisSentinels; rabbitmq: RabbitmqCluster };
export type Cluster = Nodes & { close: () => Promise<void> };
/** The nodes of a cluster in which only some of the three servers were started. */
export type PartOfCluster = Partial<Nodes> & Pick<Cluster, 'close'>;
type Options = { programsDir: string; dataDir: string; log: (line: string) => void; onSpawn: OnSpawn };

/**
 * Starts three nodes of each server on 127.0.0.1 without root: a MongoDB replica set, a RabbitMQ cluster, and Redis with two
 * replicas and three Sentinels. This takes about 10 s and 0.8 GB.
 */
export async function startCluster(options: Options): Promise<Cluster> {
  const { mongodb, redis, rabbitmq, close } = await startPartOfCluster(['mongodb', 'redis', 'rabbitmq'], options);
  if (!mongodb || !redis || !rabbitmq) throw new Error('a server of the cluster was not started');
  return { mongodb, redis, rabbitmq, close };
}

/** Starts three nodes for each of these servers only. */
export async function startPartOfCluster(names: readonly ServerName[], options: Options): Promise<PartOfCluster> {
  const { programsDir, dataDir, log, onSpawn } = options;
  const programs: Partial<Programs> = await findServers({ names, programsDir, log });
  const [mongodb, redis, rabbitmq] = await Promise.all([
    programs.mongodb && startMongodbSet({ programs: programs.mongodb, dataDir, onSpawn }),
    programs.redis && startRedisSentinels({ programs: programs.redis, dataDir, onSpawn }),
    programs.rabbitmq && startRabbitmqCluster({ programs: programs.rabbitmq, dataDir, onSpawn }),
  ]);
  return {
    ...(mongodb && { mongodb }),
    ...(redis && { redis }),
    ...(rabbitmq && { rabbitmq }),
    close: async () => {
      await Promise.all([mongodb?.close(), redis?.close(), rabbitmq?.close()]);
    },
  };
}
