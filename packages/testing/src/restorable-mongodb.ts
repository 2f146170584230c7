import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startOwnServer } from './own-server.ts';

/** A MongoDB server for one test. The test can back up and restore its files, as docs/run/back-up-and-restore.md describes. */
export type RestorableMongodb = {
  url: string;
  /** Copies the server's files between `fsyncLock` and `fsyncUnlock`. Writes wait until the copy is complete. */
  backUp: () => Promise<void>;
  /** Stops the server and restarts it at the same address with the files from the backup. */
  restore: () => Promise<void>;
  discard: () => Promise<void>;
};

export async function startRestorableMongodb(): Promise<RestorableMongodb> {
  let server = await startOwnServer('mongodb');
  const [files, backup] = ['db', 'backup'].map((name) => join(server.dataDir, name)) as [string, string];
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
      server = await server.startAgain();
    },
    discard: () => server.discard(),
  };
}
