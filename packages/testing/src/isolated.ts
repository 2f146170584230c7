import { randomBytes } from 'node:crypto';
import { serverUrls, testRun } from './environment.ts';
import { managementCall } from './rabbitmq-management.ts';

export type Isolated = {
  mongodbUri: string;
  /** A database that nobody else uses; it may be the beginning of several databases' names. */
  database: string;
  redisUrl: string;
  /** What every key begins with, its colon included. */
  redisPrefix: string;
  /** Ends in a virtual host that nobody else uses. */
  rabbitmqUrl: string;
};

/**
 * A corner of the test servers for one suite, so that suites run side by side: fresh and empty, and thrown away after the
 * run. `name` (letters, digits, dashes) makes it recognisable.
 */
export async function isolated(name: string): Promise<Isolated> {
  const urls = serverUrls();
  const id = `${testRun()}-${name}-${randomBytes(3).toString('hex')}`;
  await managementCall('PUT', `vhosts/${id}`);
  return {
    mongodbUri: urls.MONGODB_URI,
    database: id,
    redisUrl: urls.REDIS_URL,
    redisPrefix: `${id}:`,
    rabbitmqUrl: `${urls.RABBITMQ_URL.replace(/\/$/, '')}/${id}`,
  };
}
