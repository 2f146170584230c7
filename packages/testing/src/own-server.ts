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
  /** Starts the server again after it has ended, with its data, on the same port unless another is requested. */
  startAgain: (options?: { port: 'another' }) => Promise<OwnServer>;
  /** Ends the server and removes its data. If it was restarted, discarding the last one is enough. */
  discard: () => Promise<void>;
};

/**
 * Starts a server for one test: MongoDB and Redis take 1 second, RabbitMQ takes 3 to 5. Discard it in `afterAll`; a reaper does
 * so if the test never gets there.
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
