import { withDownloads } from './downloads.ts';
import { findMongodb, startMongodb, type MongodbPrograms } from './mongodb.ts';
import { findRabbitmq, startRabbitmq, type RabbitmqPrograms } from './rabbitmq.ts';
import { findRedis, startRedis, type RedisPrograms } from './redis.ts';
import { isRefusal } from './refusal.ts';
import { serversNotAvailable, thisSystem } from './ways-out.ts';
import type { Server, StartServerOptions } from './server.ts';

export type ServerName = 'mongodb' | 'redis' | 'rabbitmq';
export type Programs = { mongodb: MongodbPrograms; redis: RedisPrograms; rabbitmq: RabbitmqPrograms };

/**
 * Finds the servers' programs, or downloads them.
 * @throws Refusal that lists all missing programs and every way to provide them
 */
export function findServers<Name extends keyof Programs>(options: {
  names: readonly Name[];
  programsDir: string;
  log: (line: string) => void;
}): Promise<Pick<Programs, Name>> {
  const find = { mongodb: findMongodb, redis: findRedis, rabbitmq: findRabbitmq };
  return withDownloads(options, async (downloads) => {
    const found: Partial<Programs> = {};
    const missing: Partial<Record<ServerName, string>> = {};
    const results = await Promise.allSettled(options.names.map((name) => find[name](downloads)));
    for (const [index, result] of results.entries()) {
      const name = options.names[index] as Name;
      if (result.status === 'fulfilled') Object.assign(found, { [name]: result.value });
      else if (isRefusal(result.reason)) missing[name] = result.reason.message;
      else throw result.reason;
    }
    if (Object.keys(missing).length > 0) throw serversNotAvailable(missing, thisSystem);
    return found as Pick<Programs, Name>;
  });
}

/** Starts one server with the programs that were found. Only RabbitMQ uses `managementPort`. */
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
