import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { programsDir } from '@comanda/local-stack/root';
import { findServers } from '@comanda/local-stack/servers/find-servers';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { startProcess, waitUntilReady } from '@comanda/local-stack/servers/server-process';
import { testDataDir } from './environment.ts';
import { until } from './until.ts';
import { waitUntilFrozen } from './wait-until-frozen.ts';

/** A MongoDB replica set for one test, with a primary, a secondary and an arbiter. */
export type OwnReplicaSet = {
  url: string;
  /**
   * Pauses or resumes the secondary. During the pause, the primary remains primary because of the arbiter's vote, but no write
   * reaches a majority. After the pause, the secondary catches up.
   */
  secondary: { pause: () => void; continue: () => void };
  discard: () => Promise<void>;
};

const setName = 'comanda';
const fixedArgs = (
  `--replSet ${setName} --bind_ip 127.0.0.1 --wiredTigerCacheSizeGB 0.256 --oplogSize 64 --nounixsocket ` +
  '--setParameter diagnosticDataCollectionEnabled=false'
).split(' ');

/** Starts the three servers, which takes 3 to 5 seconds. */
export async function startOwnReplicaSet(): Promise<OwnReplicaSet> {
  mkdirSync(testDataDir(), { recursive: true });
  const dataDir = mkdtempSync(join(testDataDir(), 'replica-set-'));
  const reaper = await startReaper();
  reaper.remove(dataDir);
  const { mongodb } = await findServers({ names: ['mongodb'], programsDir, log: () => undefined });
  const start = async (name: string) => {
    const port = await freePort();
    const dbPath = join(dataDir, name);
    mkdirSync(dbPath);
    const server = await startProcess({
      name: `MongoDB ${name}`,
      command: mongodb.server,
      args: [...fixedArgs, '--dbpath', dbPath, '--port', String(port)],
      env: mongodb.env,
      cwd: dataDir,
      logFile: join(dataDir, `${name}.log`),
      onSpawn: (spawned) => reaper.track({ ...spawned, stop: 'kill' }),
    });
    const host = `127.0.0.1:${port}`;
    await waitUntilReady({
      name: `MongoDB ${name}`,
      process: server,
      ready: () => onServer(host, (client) => client.db('admin').command({ ping: 1 })),
      logFile: join(dataDir, `${name}.log`),
      timeoutMs: 60_000,
    });
    return { ...server, host };
  };
  const [primary, secondary, arbiter] = await Promise.all([start('primary'), start('secondary'), start('arbiter')]);
  const members = [
    { _id: 0, host: primary.host },
    { _id: 1, host: secondary.host, priority: 0 },
    { _id: 2, host: arbiter.host, arbiterOnly: true },
  ];
  await onServer(primary.host, async (client) => {
    const admin = client.db('admin');
    await admin.command({ replSetInitiate: { _id: setName, members, settings: { heartbeatIntervalMillis: 200 } } });
    const states = async (): Promise<string> => {
      const status = await admin.command({ replSetGetStatus: 1 });
      return status['members'].map(({ stateStr }: { stateStr: string }) => stateStr).join();
    };
    await until(async () => (await states()) === 'PRIMARY,SECONDARY,ARBITER', {
      timeoutMs: 60_000,
      what: 'the replica set to be complete',
    });
  });
  return {
    url: `mongodb://${primary.host},${secondary.host}/?replicaSet=${setName}`,
    secondary: {
      pause: () => {
        secondary.kill('SIGSTOP');
        waitUntilFrozen(secondary.pid);
      },
      continue: () => secondary.kill('SIGCONT'),
    },
    discard: reaper.finish,
  };
}

async function onServer<T>(host: string, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const options = { serverSelectionTimeoutMS: 1000 };
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, options);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
