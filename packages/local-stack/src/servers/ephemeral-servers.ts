import { join } from 'node:path';
import type { Reaper } from '../reaper/start-reaper.ts';
import { findServers, startServer } from './find-servers.ts';
import { freePort } from './free-port.ts';
import type { OnSpawn } from './server-process.ts';

/** The settings that contain server URLs. Tests use RabbitMQ's management URL to create their own virtual hosts. */
export const serverVariables = ['MONGODB_URI', 'REDIS_URL', 'RABBITMQ_URL', 'RABBITMQ_MANAGEMENT_URL'] as const;
export type ServerUrls = Record<(typeof serverVariables)[number], string>;

/**
 * Starts each of the three servers for which `given` has no URL, with data in `dataDir`. Returns the URLs of all servers. At the
 * end, the reaper kills the servers and removes their data, so they need no graceful stop.
 */
export async function startEphemeralServers(options: {
  given: Partial<ServerUrls>;
  programsDir: string;
  dataDir: string;
  log: (line: string) => void;
  reaper: Reaper;
}): Promise<ServerUrls> {
  const { given, programsDir, dataDir, log, reaper } = options;
  reaper.remove(dataDir);
  const onSpawn: OnSpawn = (server) => reaper.track({ ...server, stop: 'kill' });
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

/**
 * Returns the URL of RabbitMQ's management plugin. For a broker that is `given`, the URL has the plugin's default port and the
 * user from the broker's URL. For a broker that was started here, it has this `port`.
 */
function managementOf(given: string | undefined, port: number): string {
  if (!given) return `http://guest:guest@127.0.0.1:${port}`;
  const { username, password, hostname } = new URL(given);
  return `http://${username || 'guest'}:${password || 'guest'}@${hostname}:15672`;
}
