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
  /** Restarts the server with its data after it has ended, on the same port unless another is requested. */
  startAgain: (options?: { port: 'another' }) => Promise<OwnServer>;
  /** Ends the server and removes its data. After a restart, discard only the last server. */
  discard: () => Promise<void>;
};

/**
 * Starts a server for one test. MongoDB and Redis take 1 second, RabbitMQ takes 3 to 5. Discard the server in `afterAll`. If the
 * test never gets there, a reaper does it.
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
