import { randomBytes } from 'node:crypto';
import { serverUrls, testRun } from './environment.ts';
import { managementCall } from './rabbitmq-management.ts';

/** Names on shared servers that no other test uses. */
export type IsolatedServers = {
  mongodbUri: string;
  /** The name of its database, or the prefix of several databases' names. */
  database: string;
  redisUrl: string;
  /** The prefix of every key, including its colon. */
  redisPrefix: string;
  /** Ends in its own virtual host. */
  rabbitmqUrl: string;
};

/** The virtual hosts of this process, and the test files that they were created for. */
const hosts: { name: string; file: string | undefined }[] = [];

/**
 * A fresh and empty part of the test servers for one suite, so that suites run side by side. It is removed after the run.
 * `name` (letters, digits, dashes) makes it recognisable.
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

/** Deletes hosts of earlier files: a broker with two hundred unused virtual hosts takes 4 % of a processor. */
async function deleteHostsOfEarlierFiles(): Promise<void> {
  const unused = hosts.filter(({ file }) => file !== globalThis.comandaTestFile);
  for (const host of unused) {
    hosts.splice(hosts.indexOf(host), 1);
    await managementCall('DELETE', `vhosts/${host.name}`);
  }
}
