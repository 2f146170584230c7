import { withDownloads } from './downloads.ts';
import { findMongodb, type MongodbPrograms } from './mongodb.ts';
import { findRabbitmq, type RabbitmqPrograms } from './rabbitmq.ts';
import { findRedis, type RedisPrograms } from './redis.ts';

export type Programs = { mongodb: MongodbPrograms; redis: RedisPrograms; rabbitmq: RabbitmqPrograms };

/** Finds or fetches the programs that are asked for, one after the other. Refuses with every way to provide what is missing. */
export function findServers<Name extends keyof Programs>(options: {
  names: readonly Name[];
  programsDir: string;
  log: (line: string) => void;
}): Promise<Pick<Programs, Name>> {
  const find = { mongodb: findMongodb, redis: findRedis, rabbitmq: findRabbitmq };
  return withDownloads(options, async (downloads) => {
    const found: Partial<Programs> = {};
    for (const name of options.names)
      // eslint-disable-next-line no-await-in-loop -- so that one is told of after the other
      Object.assign(found, { [name]: await find[name](downloads) });
    return found as Pick<Programs, Name>;
  });
}
