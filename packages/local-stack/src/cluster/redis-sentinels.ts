import { Redis } from 'ioredis';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../servers/free-port.ts';
import type { RedisPrograms } from '../servers/redis.ts';
import { startProcess } from '../servers/server-process.ts';
import { createNode, retryUntil, type ClusterNode, type StartClusterOptions } from './node.ts';

const masterName = 'comanda';
/** The number of data nodes. With only two, `min-replicas-to-write` would reject all writes after a failover. */
const dataCount = 3;
const sentinelCount = 3;
/**
 * The account that replicas and Sentinels use. It is separate from the clients' account, so a test can cut off a node while
 * clients stay connected.
 */
const member = { user: 'member', password: 'member' };
/**
 * The clients' password. Without a password, a replica or Sentinel that is locked out could still sign in as the default user.
 */
const password = 'comanda';

export type RedisSentinels = {
  /**
   * The URL `redis+sentinel://:password@host:port,host:port/name`, with the addresses of the Sentinels and the password of the
   * data nodes.
   */
  url: string;
  nodes: readonly ClusterNode[];
  sentinels: readonly ClusterNode[];
  primary: () => Promise<number>;
  /** Separates a node from its replicas and from the Sentinels. Clients can still reach the node. */
  cut: (index: number) => Promise<void>;
  heal: (index: number) => Promise<void>;
  close: () => Promise<void>;
};

/** Starts a primary with two replicas and three Sentinels on 127.0.0.1. */
export async function startRedisSentinels(options: StartClusterOptions<RedisPrograms>): Promise<RedisSentinels> {
  const { programs, dataDir, onSpawn } = options;
  const freePorts = (count: number): Promise<number[]> => Promise.all(Array.from({ length: count }, () => freePort()));
  const [dataPorts, sentinelPorts] = [await freePorts(dataCount), await freePorts(sentinelCount)];
  const [firstPort = 0] = dataPorts;

  function start(node: { name: string; port: number; lines: readonly string[]; flags?: readonly string[] }) {
    const { name, port, lines, flags = [] } = node;
    const folder = join(dataDir, name.toLowerCase().replace(' ', '-'));
    const file = join(folder, 'redis.conf');
    mkdirSync(folder, { recursive: true });
    // Redis and Sentinel rewrite this file, so the current primary is still known after a restart.
    if (!existsSync(file)) writeFileSync(file, `${lines.join('\n')}\n`);
    return createNode({
      name,
      port,
      start: () =>
        startProcess({
          name,
          command: programs.server,
          args: [file, ...flags],
          env: programs.env,
          cwd: folder,
          logFile: join(folder, 'redis.log'),
          onSpawn,
        }),
    });
  }
  const common = (port: number): string[] => [`port ${port}`, 'bind 127.0.0.1', 'protected-mode no', 'dir .'];
  const nodes = await Promise.all(
    dataPorts.map((port, index) =>
      start({
        name: `Redis ${index + 1}`,
        port,
        lines: [
          ...common(port),
          'appendonly yes',
          'save ""',
          'repl-diskless-sync-delay 0',
          'min-replicas-to-write 1',
          'min-replicas-max-lag 2',
          `requirepass ${password}`,
          `user ${member.user} on >${member.password} ~* &* +@all`,
          `masteruser ${member.user}`,
          `masterauth ${member.password}`,
          ...(index === 0 ? [] : [`replicaof 127.0.0.1 ${firstPort}`]),
        ],
      }),
    ),
  );
  const connectTo = (port: number, more = {}): Redis => {
    const redis = new Redis({ host: '127.0.0.1', port, retryStrategy: () => 100, maxRetriesPerRequest: 1, ...more });
    redis.on('error', () => {}); // The command that needs the connection reports the error.
    return redis;
  };
  const admins = dataPorts.map((port) => connectTo(port, { password, commandTimeout: 1_000 }));
  const infoOf = async (index: number): Promise<string> => (await admins[index]?.info('replication')) ?? '';
  await retryUntil(async () => {
    if (!(await infoOf(0)).includes(`connected_slaves:${dataCount - 1}`)) throw new Error('replicas are missing');
  }, 30_000);
  const sentinels = await Promise.all(
    sentinelPorts.map((port, index) =>
      start({
        name: `Sentinel ${index + 1}`,
        port,
        flags: ['--sentinel'],
        lines: [
          ...common(port),
          `sentinel monitor ${masterName} 127.0.0.1 ${firstPort} 2`,
          `sentinel auth-user ${masterName} ${member.user}`,
          `sentinel auth-pass ${masterName} ${member.password}`,
          `sentinel down-after-milliseconds ${masterName} 1000`,
          `sentinel failover-timeout ${masterName} 6000`,
        ],
      }),
    ),
  );
  const watchers = sentinelPorts.map((port) => connectTo(port, { enableReadyCheck: false, commandTimeout: 1_000 }));
  await retryUntil(async () => {
    for (const watcher of watchers) {
      const fields = (await watcher.call('SENTINEL', 'MASTER', masterName)) as string[];
      const value = (name: string): number => Number(fields[fields.indexOf(name) + 1]);
      if (value('num-other-sentinels') !== sentinelCount - 1 || value('num-slaves') !== dataCount - 1)
        throw new Error('the Sentinels do not know each other yet');
    }
  }, 30_000);

  async function primary(): Promise<number> {
    const roles = await Promise.allSettled(admins.map((admin) => admin.role()));
    const address = await Promise.any(
      watchers.map((watcher) => watcher.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName)),
    );
    const index = dataPorts.indexOf(Number((address as string[])[1]));
    const role = roles[index];
    if (role?.status !== 'fulfilled' || role.value[0] !== 'master')
      throw new Error('there is no primary at the moment');
    return index;
  }
  async function cut(index: number): Promise<void> {
    const admin = admins[index];
    await admin?.call('ACL', 'SETUSER', member.user, 'off');
    const list = String(await admin?.client('LIST'));
    for (const line of list.split('\n')) {
      const [, id] = new RegExp(`^id=(\\d+) .*user=${member.user}`).exec(line) ?? [];
      if (id !== undefined) await admin?.client('KILL', 'ID', id);
    }
  }
  return {
    url: `redis+sentinel://:${password}@${sentinelPorts.map((port) => `127.0.0.1:${port}`).join()}/${masterName}`,
    nodes,
    sentinels,
    primary: () => retryUntil(primary, 30_000),
    cut,
    heal: async (index) => {
      await retryUntil(async () => admins[index]?.call('ACL', 'SETUSER', member.user, 'on'), 10_000);
    },
    close: async () => {
      for (const redis of [...admins, ...watchers]) redis.disconnect();
      await Promise.all([...nodes, ...sentinels].map((node) => node.stop()));
    },
  };
}
