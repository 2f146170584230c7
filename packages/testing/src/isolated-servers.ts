import { randomBytes } from 'node:crypto';
import { serverUrls, testRun } from './environment.ts';
import { managementCall } from './rabbitmq-management.ts';

/** The names that a test suite uses on the shared servers, so that suites do not affect each other. */
export type IsolatedServers = {
  mongodbUri: string;
  /** The name of the suite's database. If the suite has several databases, their names start with this. */
  database: string;
  redisUrl: string;
  /** The prefix for all of the suite's Redis keys, including the colon. */
  redisPrefix: string;
  /** The broker's URL, which ends with the suite's virtual host. */
  rabbitmqUrl: string;
};

/** The virtual hosts that this process has created, each with the test file for which it was created. */
const hosts: { name: string; file: string | undefined }[] = [];

/**
 * Creates an empty part of the test servers for a suite, so that suites can run at the same time. It is removed after the test
 * run. `name` consists of letters, digits and dashes, and makes the suite's databases and keys easy to recognize.
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

/** Deletes the virtual hosts of earlier test files, because two hundred unused ones take 4% of the broker's CPU time. */
async function deleteHostsOfEarlierFiles(): Promise<void> {
  const unused = hosts.filter(({ file }) => file !== globalThis.comandaTestFile);
  for (const host of unused) {
    hosts.splice(hosts.indexOf(host), 1);
    await managementCall('DELETE', `vhosts/${host.name}`);
  }
}
