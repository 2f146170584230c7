import { randomBytes } from 'node:crypto';
import { serverUrls, testRun } from './environment.ts';
import { managementCall } from './rabbitmq-management.ts';

/** Names on shared servers that no other test uses. */
export type IsolatedServers = {
  mongodbUri: string;
  /** The suite's database name, or the prefix for the names of several databases. */
  database: string;
  redisUrl: string;
  /** The prefix for every key, including the colon. */
  redisPrefix: string;
  /** Ends with the suite's own virtual host. */
  rabbitmqUrl: string;
};

/** The virtual hosts created by this process, and the test files that they are for. */
const hosts: { name: string; file: string | undefined }[] = [];

/**
 * Creates a fresh, empty part of the test servers for one suite, so that suites can run side by side. It is removed after the
 * run. `name` (letters, digits, dashes) makes it easy to recognize.
 */
export async function isolatedServers(name: string): Promise<IsolatedServers> {
  const urls = serverUrls();
  const id = `${testRun()}-${name}-${randomBytes(3).toString('hex')}`;
  await deleteHostsOfEarlierFiles();
  await managementCall('PUT', `vhosts/${id}`);
  hosts.push({ name: id, file: globalThis.comandaTestFile });
  return {
    mongodbUri: urls.MONGODB_URI,
    database: id,
    redisUrl: urls.REDIS_URL,
    redisPrefix: `${id}:`,
    rabbitmqUrl: `${urls.RABBITMQ_URL.replace(/\/$/, '')}/${id}`,
  };
}

/** Deletes virtual hosts of earlier test files: a broker with two hundred unused virtual hosts takes up 4% of a core. */
async function deleteHostsOfEarlierFiles(): Promise<void> {
  const unused = hosts.filter(({ file }) => file !== globalThis.comandaTestFile);
  for (const host of unused) {
    hosts.splice(hosts.indexOf(host), 1);
    await managementCall('DELETE', `vhosts/${host.name}`);
  }
}
