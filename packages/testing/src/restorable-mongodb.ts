import { mkdirSync, mkdtempSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { programsDir } from '@comanda/local-stack/root';
import { findServers } from '@comanda/local-stack/servers/find-servers';
import { startMongodb } from '@comanda/local-stack/servers/mongodb';
import { MongoClient } from 'mongodb';
import { testDataDir } from './environment.ts';

/** MongoDB for one test, which is backed up and restored as docs/deployment.md says: by its files. */
export type RestorableMongodb = {
  url: string;
  /** Copies the files between `fsyncLock` and `fsyncUnlock`: writes wait meanwhile. */
  backUp: () => Promise<void>;
  /** Stops the server, and starts it with the files of the backup, at the same address. */
  restore: () => Promise<void>;
  discard: () => Promise<void>;
};

export async function startRestorableMongodb(): Promise<RestorableMongodb> {
  mkdirSync(testDataDir(), { recursive: true });
  const dataDir = mkdtempSync(join(testDataDir(), 'restorable-'));
  const reaper = await startReaper();
  reaper.remove(dataDir);
  const { mongodb: programs } = await findServers({ names: ['mongodb'], programsDir, log: () => undefined });
  const start = (port?: number) =>
    startMongodb({ programs, dataDir, port, onSpawn: (spawned) => reaper.track({ ...spawned, stop: 'kill' }) });
  const [files, backup] = [join(dataDir, 'db'), join(dataDir, 'backup')];
  let server = await start();
  return {
    url: server.url,
    backUp: async () => {
      const client = new MongoClient(server.url);
      try {
        const admin = client.db('admin');
        await admin.command({ fsync: 1, lock: true });
        try {
          await cp(files, backup, { recursive: true });
        } finally {
          await admin.command({ fsyncUnlock: 1 });
        }
      } finally {
        await client.close();
      }
    },
    restore: async () => {
      await server.stop();
      await rm(files, { recursive: true });
      await cp(backup, files, { recursive: true });
      await rm(join(files, 'mongod.lock'), { force: true });
      server = await start(server.port);
    },
    discard: reaper.finish,
  };
}
