import { join } from 'node:path';
import type { Guardian } from '../guardian/start-guardian.ts';
import { findServers, startServer } from './find-servers.ts';
import { freePort } from './free-port.ts';
import type { OnSpawn } from './server-process.ts';

/** The settings that name servers. RabbitMQ's management URL is how tests get virtual hosts of their own. */
export const serverVariables = ['MONGODB_URI', 'REDIS_URL', 'RABBITMQ_URL', 'RABBITMQ_MANAGEMENT_URL'] as const;
export type ServerUrls = Record<(typeof serverVariables)[number], string>;

/**
 * Starts those of the three servers whose URL is not `given`, with data under `dataDir`, and gives back where all three
 * are. To end them and to remove their data is left to the guardian: nothing is to be ended in order.
 */
export async function startThrowAwayServers(options: {
  given: Partial<ServerUrls>;
  programsDir: string;
  dataDir: string;
  log: (line: string) => void;
  guardian: Guardian;
}): Promise<ServerUrls> {
  const { given, programsDir, dataDir, log, guardian } = options;
  guardian.remove(dataDir);
  const onSpawn: OnSpawn = (server) => guardian.guard({ ...server, end: 'at once' });
  const missing = {
    mongodb: !given.MONGODB_URI,
    redis: !given.REDIS_URL,
    rabbitmq: !given.RABBITMQ_URL,
  };
  const names = (['mongodb', 'redis', 'rabbitmq'] as const).filter((name) => missing[name]);
  const programs = await findServers({ names, programsDir, log });
  const managementPort = await freePort();
  const servers = await Promise.all(
    names.map((name) => startServer(name, programs, { dataDir: join(dataDir, name), onSpawn, managementPort })),
  );
  const url = (name: (typeof names)[number]): string => servers[names.indexOf(name)]?.url ?? '';
  return {
    MONGODB_URI: given.MONGODB_URI || url('mongodb'),
    REDIS_URL: given.REDIS_URL || url('redis'),
    RABBITMQ_URL: given.RABBITMQ_URL || url('rabbitmq'),
    RABBITMQ_MANAGEMENT_URL: given.RABBITMQ_MANAGEMENT_URL || managementOf(given.RABBITMQ_URL, managementPort),
  };
}

/** The management plugin's usual port, with the broker's own user; ours, on the port that we chose. */
function managementOf(given: string | undefined, port: number): string {
  if (!given) return `http://guest:guest@127.0.0.1:${port}`;
  const { username, password, hostname } = new URL(given);
  return `http://${username || 'guest'}:${password || 'guest'}@${hostname}:15672`;
}
