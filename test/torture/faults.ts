import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterNode } from '@comanda/local-stack/cluster/node';
import type { MongodbSet } from '@comanda/local-stack/cluster/mongodb-set';
import type { RabbitmqCluster } from '@comanda/local-stack/cluster/rabbitmq-cluster';
import type { RedisSentinels } from '@comanda/local-stack/cluster/redis-sentinels';
import { until } from '@comanda/testing/until';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import type { TwoOfEach, Servers } from './two-of-each.ts';

/**
 * A fault. `break` causes it and returns a function that ends it. `lastsMs` is set only if the fault lasts longer than the
 * others, in milliseconds.
 */
export type Fault = { name: string; break: () => Promise<() => Promise<void>>; lastsMs?: number };

const feed = 'comanda.feed';
/**
 * The duration of a long freeze, in milliseconds. It is longer than the lifetime of a payment token in this run, plus the time
 * after which an expired token's payment is ended.
 */
const longFreezeMs = 26_000;

/** Returns every fault that a run can cause in its own servers and in the services that run as processes. */
export const allFaults = ({ mongodb, redis, rabbitmq }: Servers, services: TwoOfEach): Fault[] => [
  ...('nodes' in mongodb ? mongodbFaults(mongodb) : oneNodeFaults('MongoDB', mongodb)),
  ...('nodes' in redis ? redisFaults(redis) : oneNodeFaults('Redis', redis)),
  ...('nodes' in rabbitmq ? rabbitmqFaults(rabbitmq) : oneNodeFaults('RabbitMQ', rabbitmq)),
  ...services.instances.flatMap(serviceFaults),
];

/** Returns the faults for a server with a single node. There are none for a server that other tests share. */
const oneNodeFaults = (name: string, server: Servers[keyof Servers]): Fault[] =>
  'freeze' in server
    ? [
        { name: `${name} killed`, break: server.kill },
        { name: `${name} frozen`, break: server.freeze },
      ]
    : [];

/**
 * The services that may be frozen. Gateway and notifier are not frozen, because their clients could not switch to the other
 * instance.
 */
const freezable: readonly ServiceName[] = ['auth-stepup', 'orders', 'transfers'];
/** Returns true if the fault freezes a service. Response times are then not checked. */
export const isServiceFrozen = (fault: string): boolean =>
  freezable.some((name) => fault.startsWith(`${name} `)) && fault.includes('frozen');

function serviceFaults({ name, number, service }: TwoOfEach['instances'][number]): Fault[] {
  if (!('end' in service)) return [];
  const freeze = async (): Promise<BringBack> => {
    const pid = service.pid();
    process.kill(pid, 'SIGSTOP');
    return async () => void process.kill(pid, 'SIGCONT');
  };
  const kill = async (): Promise<BringBack> => {
    await service.end('SIGKILL');
    return service.start;
  };
  return [
    { name: `${name} ${number} killed`, break: kill },
    ...(freezable.includes(name) ? [{ name: `${name} ${number} frozen`, break: freeze }] : []),
    ...(name === 'transfers'
      ? [{ name: `${name} ${number} frozen for long`, break: freeze, lastsMs: longFreezeMs }]
      : []),
  ];
}

const mongodbFaults = (mongodb: MongodbSet): Fault[] => [
  { name: 'MongoDB primary killed', break: async () => killed(mongodb.nodes[await mongodb.primary()]) },
  { name: 'MongoDB primary frozen', break: async () => frozen(mongodb.nodes[await mongodb.primary()]) },
  { name: 'MongoDB primary cut off', break: async () => cut(mongodb, await mongodb.primary()) },
];
const redisFaults = (redis: RedisSentinels): Fault[] => [
  { name: 'Redis primary killed', break: async () => killed(redis.nodes[await redis.primary()]) },
  { name: 'Redis primary frozen', break: async () => frozen(redis.nodes[await redis.primary()]) },
  { name: 'Redis primary cut off', break: async () => cut(redis, await redis.primary()) },
];
const rabbitmqFaults = (rabbitmq: RabbitmqCluster): Fault[] => [
  { name: 'RabbitMQ leader killed', break: async () => killed(rabbitmq.nodes[await rabbitmq.leader(feed)]) },
  {
    name: 'RabbitMQ leader frozen',
    break: async () => frozenAndRestarted(rabbitmq.nodes[await rabbitmq.leader(feed)]),
  },
  { name: 'RabbitMQ leader cut off', break: async () => cut(rabbitmq, await rabbitmq.leader(feed)) },
  {
    name: 'RabbitMQ memory alarm',
    break: async () => {
      await rabbitmq.alarm(0, 'on');
      return () => rabbitmq.alarm(0, 'off');
    },
  },
];

type BringBack = () => Promise<void>;
async function killed(node: ClusterNode | undefined): Promise<BringBack> {
  const exited = node?.exited();
  node?.kill('SIGKILL');
  await exited;
  return async () => node?.restart();
}
async function frozen(node: ClusterNode | undefined): Promise<BringBack> {
  node?.kill('SIGSTOP');
  return async () => node?.kill('SIGCONT');
}
/**
 * Freezes a broker, and later kills and restarts it: a broker that was frozen usually stays out of the cluster after it resumes.
 */
async function frozenAndRestarted(node: ClusterNode | undefined): Promise<BringBack> {
  node?.kill('SIGSTOP');
  return async () => (await killed(node))();
}
type Parted = { cut: (index: number) => Promise<void> | void; heal: (index: number) => Promise<void> | void };
async function cut(server: Parted, index: number): Promise<BringBack> {
  await server.cut(index);
  return async () => server.heal(index);
}

export type FaultOptions = {
  faults: readonly Fault[];
  /** The end of the run: after this time in milliseconds, or after this number of faults. */
  ends: { afterMs: number } | { afterFaults: number };
  /** How long each fault lasts, in milliseconds, unless the fault itself has another duration. */
  lastsMs: number;
  /** How long the recovery from a fault may take, in milliseconds. */
  recoveryMs: number;
  /** Returns true if everything works again. The next fault starts only then. */
  isWhole: () => Promise<boolean>;
  /** Called when a fault starts. */
  onFault: (name: string) => void;
  log: (line: string) => void;
};

/**
 * Causes one fault after another until the run ends.
 * @throws Error if the cluster does not recover after a fault
 */
export async function breakThings(options: FaultOptions): Promise<void> {
  const { faults, ends, lastsMs, recoveryMs, isWhole, onFault, log } = options;
  let done = 0;
  const started = performance.now();
  const isOver = (): boolean =>
    'afterMs' in ends ? performance.now() - started > ends.afterMs : done >= ends.afterFaults;
  for (let at = 0; !isOver(); at++) {
    const fault = faults[at % faults.length];
    if (!fault) {
      if ('afterFaults' in ends) break;
      await pause(500);
      continue;
    }
    log(fault.name);
    onFault(fault.name);
    const bringBack = await fault.break();
    await pause(fault.lastsMs ?? lastsMs);
    await bringBack();
    done++;
    const wholeAgain = performance.now();
    await until(isWhole, { what: `everything to work again after: ${fault.name}`, timeoutMs: recoveryMs });
    log(`${fault.name}: works again ${((performance.now() - wholeAgain) / 1_000).toFixed(1)} s after its end`);
    await pause(1_000);
  }
}
