import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { programsDir } from '@comanda/local-stack/root';
import { findServers, startServer, type ServerName } from '@comanda/local-stack/servers/find-servers';
import type { Server } from '@comanda/local-stack/servers/server';
import { testDataDir } from './environment.ts';
import { waitUntilFrozen } from './wait-until-frozen.ts';

/** A server for one test, which can be killed, frozen and restarted. */
export type OwnServer = Server & {
  /** The folder for the server's data. */
  dataDir: string;
  /** Restarts the server with the same data after it has ended. It gets the same port, unless `another` port is requested. */
  startAgain: (options?: { port: 'another' }) => Promise<OwnServer>;
  /** Stops the server and deletes its data. After restarts, call this only on the last of the servers. */
  discard: () => Promise<void>;
};

/**
 * Starts a server for one test. This takes 1 second for MongoDB and Redis, and 3 to 5 seconds for RabbitMQ. Discard the server in
 * `afterAll`. If the test never gets there, a reaper discards it.
 */
export async function startOwnServer(name: ServerName): Promise<OwnServer> {
  mkdirSync(testDataDir(), { recursive: true });
  const dataDir = mkdtempSync(join(testDataDir(), `${name}-`));
  const reaper = await startReaper();
  reaper.remove(dataDir);
  const programs = await findServers({ names: [name], programsDir, log: () => undefined });
  const start = async (port?: number): Promise<OwnServer> => {
    const server = await startServer(name, programs, {
      dataDir,
      port,
      onSpawn: (spawned) => reaper.track({ ...spawned, stop: 'kill' }),
    });
    return {
      ...server,
      dataDir,
      kill: (signal) => {
        server.kill(signal);
        if (signal === 'SIGSTOP') waitUntilFrozen(server.pid);
      },
      startAgain: (options) => start(options ? undefined : server.port),
      discard: reaper.finish,
    };
  };
  return start();
}
