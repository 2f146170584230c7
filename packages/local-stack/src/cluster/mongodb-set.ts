import { MongoClient, MongoServerError } from 'mongodb';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../servers/free-port.ts';
import type { MongodbPrograms } from '../servers/mongodb.ts';
import { startProcess } from '../servers/server-process.ts';
import { startMemberProxy } from './member-proxy.ts';
import { createNode, retryUntil, type ClusterNode, type StartClusterOptions } from './node.ts';

const replicaSet = 'comanda';
const memberCount = 3;
/**
 * An election starts 1 s after the primary's last heartbeat. Heartbeats must be much more frequent than that. Otherwise, a single
 * late heartbeat would change the primary.
 */
const settings = { electionTimeoutMillis: 1_000, heartbeatTimeoutSecs: 1, heartbeatIntervalMillis: 200 };

const parameters = [
  'transactionLifetimeLimitSeconds=3',
  'diagnosticDataCollectionEnabled=false',
  'oplogNetworkTimeoutBufferSeconds=1',
];
const flags = (values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);

export type MongodbSet = {
  url: string;
  nodes: readonly ClusterNode[];
  /** Returns the index of the member that accepts writes. */
  primary: () => Promise<number>;
  /** Separates a member from the other members. Clients can still reach all members. */
  cut: (member: number) => void;
  heal: (member: number) => void;
  close: () => Promise<void>;
};

/** Starts a replica set with three members on 127.0.0.1. */
export async function startMongodbSet(options: StartClusterOptions<MongodbPrograms>): Promise<MongodbSet> {
  const { programs, dataDir, onSpawn } = options;
  const ports = await Promise.all(
    Array.from({ length: memberCount }, async () => ({ port: await freePort(), targetPort: await freePort() })),
  );
  const nodes = await Promise.all(ports.map((each, index) => startMember(index, each.targetPort)));
  const proxy = await startMemberProxy(ports.map((each, index) => ({ ...each, pid: () => nodes[index]?.pid() })));
  const clients = ports.map(
    ({ targetPort }) =>
      new MongoClient(`mongodb://127.0.0.1:${targetPort}/?directConnection=true`, {
        serverSelectionTimeoutMS: 1_000,
        connectTimeoutMS: 1_000,
        socketTimeoutMS: 5_000,
      }),
  );
  const admins = clients.map((client) => client.db('admin'));
  await Promise.all(clients.map((client) => retryUntil(() => client.connect(), 30_000)));
  const members = ports.map(({ port }, index) => ({ _id: index, host: `127.0.0.1:${port}` }));
  // Retried, because on a busy machine the first member may not reach the others in time.
  await retryUntil(initiate, 60_000);
  await retryUntil(checkAllJoined, 60_000);

  async function initiate(): Promise<void> {
    try {
      await admins[0]?.command({ replSetInitiate: { _id: replicaSet, members, settings } });
    } catch (error) {
      if (!(error instanceof MongoServerError && error.codeName === 'AlreadyInitialized')) throw error;
    }
  }
  function startMember(index: number, port: number): Promise<ClusterNode> {
    const folder = join(dataDir, `mongodb-${index}`);
    mkdirSync(join(folder, 'db'), { recursive: true });
    return createNode({
      name: `MongoDB ${index + 1}`,
      port,
      start: () =>
        startProcess({
          name: `MongoDB ${index + 1}`,
          command: programs.server,
          args: flags({
            replSet: replicaSet,
            dbpath: join(folder, 'db'),
            port: String(port),
            bind_ip: '127.0.0.1',
            wiredTigerCacheSizeGB: '0.256',
            oplogSize: '256',
          }).concat('--nounixsocket', ...parameters.flatMap((each) => ['--setParameter', each])),
          env: programs.env,
          cwd: folder,
          logFile: join(folder, 'mongodb.log'),
          onSpawn,
        }),
    });
  }
  /** Returns the index of the first member that reports itself as the primary. A frozen member does not respond. */
  function primary(): Promise<number> {
    return Promise.any(
      admins.map(async (admin, index) => {
        const { isWritablePrimary } = await admin.command({ hello: 1 });
        if (isWritablePrimary !== true) throw new Error(`member ${index + 1} takes no writes`);
        return index;
      }),
    );
  }
  async function checkAllJoined(): Promise<void> {
    const status = await admins[await primary()]?.command({ replSetGetStatus: 1 });
    const states = ((status?.['members'] ?? []) as { stateStr: string }[]).map(({ stateStr }) => stateStr);
    if (states.some((state) => state !== 'PRIMARY' && state !== 'SECONDARY')) throw new Error(states.join());
  }

  return {
    url: `mongodb://${members.map(({ host }) => host).join()}/?replicaSet=${replicaSet}`,
    nodes,
    primary: () => retryUntil(primary, 30_000),
    cut: proxy.cut,
    heal: proxy.heal,
    close: async () => {
      proxy.close();
      await Promise.all(clients.map((client) => client.close()));
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
