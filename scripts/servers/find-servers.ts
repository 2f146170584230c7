import { withDownloads } from './downloads.ts';
import { findMongodb, startMongodb, type MongodbPrograms } from './mongodb.ts';
import { findRabbitmq, startRabbitmq, type RabbitmqPrograms } from './rabbitmq.ts';
import { findRedis, startRedis, type RedisPrograms } from './redis.ts';
import type { Server, StartServerOptions } from './server.ts';

export type ServerName = 'mongodb' | 'redis' | 'rabbitmq';
export type Programs = { mongodb: MongodbPrograms; redis: RedisPrograms; rabbitmq: RabbitmqPrograms };

/**
 * Finds or downloads the programs, one after the other.
 * @throws Refusal that names every way to provide a missing one
 */
export function findServers<Name extends keyof Programs>(options: {
  names: readonly Name[];
  programsDir: string;
  log: (line: string) => void;
}): Promise<Pick<Programs, Name>> {
  const find = { mongodb: findMongodb, redis: findRedis, rabbitmq: findRabbitmq };
  return withDownloads(options, async (downloads) => {
    const found: Partial<Programs> = {};
    for (const name of options.names) Object.assign(found, { [name]: await find[name](downloads) });
    return found as Pick<Programs, Name>;
  });
}

/** Starts a server whose programs were found. `managementPort` is for RabbitMQ. */
export function startServer(
  name: ServerName,
  programs: Partial<Programs>,
  options: Omit<StartServerOptions<never>, 'programs'> & { managementPort?: number },
): Promise<Server> {
  const { mongodb, redis, rabbitmq } = programs;
  if (name === 'mongodb' && mongodb) return startMongodb({ ...options, programs: mongodb });
  if (name === 'redis' && redis) return startRedis({ ...options, programs: redis });
  if (name === 'rabbitmq' && rabbitmq) return startRabbitmq({ ...options, programs: rabbitmq });
  throw new Error(`findServers was not called for ${name}`);
}
