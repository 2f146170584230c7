import { Redis } from 'ioredis';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from './command.ts';
import type { Downloads } from './downloads.ts';
import { freePort } from './free-port.ts';
import { privateEnvironment } from './private-libraries.ts';
import { startProcess, waitUntilReady } from './server-process.ts';
import type { Server, StartServerOptions } from './server.ts';
import { refuseWithoutDownload } from './ways-out.ts';

export type RedisPrograms = { server: string; env: NodeJS.ProcessEnv };

/**
 * Finds redis-server on the PATH, or downloads Debian's or Ubuntu's package.
 * @throws Refusal if the package can't be downloaded
 */
export async function findRedis(downloads: Downloads): Promise<RedisPrograms> {
  const server = onPath('redis-server');
  if (server) return { server, env: process.env };
  refuseWithoutDownload('redis');
  const root = await downloads.cached('redis', (into) =>
    downloads.debianPackages(['redis-tools', 'redis-server'], into),
  );
  return { server: join(root, 'usr/bin/redis-server'), env: privateEnvironment(root) };
}

/** Starts a Redis server on 127.0.0.1 that stores its data on disk (append-only file, fsync every second). */
export async function startRedis(options: StartServerOptions<RedisPrograms>): Promise<Server> {
  const { programs, dataDir, onSpawn } = options;
  const { port = await freePort(), logFile = join(dataDir, 'redis.log') } = options;
  mkdirSync(dataDir, { recursive: true });
  const server = await startProcess({
    name: 'Redis',
    command: programs.server,
    args: ['--port', String(port), '--bind', '127.0.0.1', '--dir', dataDir, '--appendonly', 'yes', '--save', ''],
    env: programs.env,
    cwd: dataDir,
    logFile,
    onSpawn,
  });
  const url = `redis://127.0.0.1:${port}`;
  await waitUntilReady({ name: 'Redis', process: server, ready: () => checkRedis(url), logFile, timeoutMs: 30_000 });
  const { pid, exited, kill, stop } = server;
  return { url, port, pid, processes: [server.identity], exited, kill, stop };
}

/** Checks that a Redis server responds at `url` and has loaded its data. Otherwise rejects within 2 seconds. */
export async function checkRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    retryStrategy: () => null,
  });
  let cause: Error | undefined; // When `connect` rejects, its error has no reason, but an earlier 'error' event has.
  redis.on('error', (error) => (cause = error));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw cause ?? error;
  } finally {
    redis.disconnect();
  }
}
