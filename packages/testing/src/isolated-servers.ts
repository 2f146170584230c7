import { randomBytes } from 'node:crypto';
import { serverUrls, testRun } from './environment.ts';
import { managementCall } from './rabbitmq-management.ts';

/** The suite's own names on shared servers. */
export type IsolatedServers = {
  mongodbUri: string;
  /** The suite's database name, or the prefix if it has several databases. */
  database: string;
  redisUrl: string;
  /** The prefix for all keys, including the colon. */
  redisPrefix: string;
  /** The broker's URL, which ends with the suite's virtual host. */
  rabbitmqUrl: string;
};

/** The virtual hosts that this process has created, and the test file of each. */
const hosts: { name: string; file: string | undefined }[] = [];

/**
 * Creates an empty part of the test servers for a suite, so that suites can run at the same time. It is removed after the run.
 * `name` (letters, digits, dashes) helps to recognize it.
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

/** Deletes the virtual hosts of earlier test files, because two hundred unused ones take up 4% of a broker's core. */
async function deleteHostsOfEarlierFiles(): Promise<void> {
  const unused = hosts.filter(({ file }) => file !== globalThis.comandaTestFile);
  for (const host of unused) {
    hosts.splice(hosts.indexOf(host), 1);
    await managementCall('DELETE', `vhosts/${host.name}`);
  }
}
