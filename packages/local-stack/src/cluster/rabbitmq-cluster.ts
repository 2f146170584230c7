import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../servers/free-port.ts';
import { checkRabbitmq, type RabbitmqPrograms } from '../servers/rabbitmq.ts';
import { startProcess } from '../servers/server-process.ts';
import { createNode, retryUntil, type ClusterNode, type StartClusterOptions } from './node.ts';

const nodeCount = 3;
const cookie = 'comandacluster';
const names = Array.from({ length: nodeCount }, (_, index) => `c${index + 1}@localhost`);

export type RabbitmqCluster = {
  /** The URLs of all nodes, separated by commas. */
  url: string;
  nodes: readonly ClusterNode[];
  /**
   * Returns the index of the node that accepts writes to the stream. First waits until all nodes have a replica of the stream.
   */
  leader: (stream: string) => Promise<number>;
  /** Separates a node from the other nodes. Clients can still reach all nodes. */
  cut: (index: number) => Promise<void>;
  /** Reconnects the node. Resolves when all nodes are members again. */
  heal: (index: number) => Promise<void>;
  /** Turns a node's memory alarm on or off. The alarm blocks publishers on all nodes. */
  alarm: (index: number, state: 'on' | 'off') => Promise<void>;
  close: () => Promise<void>;
};

/** Starts a cluster of three brokers on 127.0.0.1. A node that loses contact with the others pauses until contact is restored. */
export async function startRabbitmqCluster(options: StartClusterOptions<RabbitmqPrograms>): Promise<RabbitmqCluster> {
  const { programs, dataDir, onSpawn } = options;
  const home = join(dataDir, 'rabbitmq-home');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, '.erlang.cookie'), cookie, { mode: 0o400 });
  const epmdPort = await freePort();
  const base = { ...programs.env, HOME: home, ERL_EPMD_PORT: String(epmdPort), ERL_EPMD_ADDRESS: '127.0.0.1' };
  const epmd = await startProcess({
    name: 'epmd',
    command: programs.epmd,
    args: ['-port', String(epmdPort), '-address', '127.0.0.1'],
    env: base,
    cwd: home,
    logFile: join(home, 'epmd.log'),
    onSpawn,
  });
  const ports = await Promise.all(names.map(() => freePort()));
  const streamPorts = 21_000 + Math.floor(Math.random() * 9_000);
  const nodes = await Promise.all(ports.map((port, index) => startBroker(index, port)));
  const urls = ports.map((port) => `amqp://guest:guest@127.0.0.1:${port}`);
  await Promise.all(urls.map((url) => retryUntil(() => checkRabbitmq(url), 60_000)));
  await retryUntil(checkMembers, 60_000);

  async function startBroker(index: number, port: number): Promise<ClusterNode> {
    const folder = join(dataDir, `rabbitmq-${index}`);
    mkdirSync(folder, { recursive: true });
    const file = (name: string): string => join(folder, name);
    const lines = [
      `listeners.tcp.1 = 127.0.0.1:${port}`,
      'disk_free_limit.absolute = 50MB',
      'vm_memory_high_watermark.absolute = 1GB',
      'cluster_partition_handling = pause_minority',
      'cluster_formation.peer_discovery_backend = classic_config',
      ...names.map((name, at) => `cluster_formation.classic_config.nodes.${at + 1} = ${name}`),
      'cluster_formation.discovery_retry_limit = 1',
      'cluster_formation.discovery_retry_interval = 100',
    ];
    writeFileSync(file('rabbitmq.conf'), `${lines.join('\n')}\n`);
    const [from, to] = [streamPorts + index * 20, streamPorts + index * 20 + 19];
    writeFileSync(file('advanced.config'), `[{osiris,[{port_range,{${from},${to}}}]}].\n`);
    writeFileSync(file('enabled_plugins'), '[].\n');
    const env = {
      ...base,
      RUNNING_UNDER_SYSTEMD: 'true',
      RABBITMQ_NODENAME: names[index],
      RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
      RABBITMQ_NODE_PORT: String(port),
      RABBITMQ_DIST_PORT: String(await freePort()),
      RABBITMQ_MNESIA_BASE: file('mnesia'),
      RABBITMQ_LOG_BASE: file('log'),
      RABBITMQ_CONFIG_FILE: file('rabbitmq.conf'),
      RABBITMQ_ADVANCED_CONFIG_FILE: file('advanced.config'),
      RABBITMQ_ENABLED_PLUGINS_FILE: file('enabled_plugins'),
      RABBITMQ_CONF_ENV_FILE: '/dev/null',
      RABBITMQ_PID_FILE: file('rabbitmq.pid'),
      // With these arguments, a frozen node is detected after 5 to 7 s, instead of 63 s.
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
        '-kernel inet_dist_use_interface {127,0,0,1} -kernel net_ticktime 4 -kernel net_setuptime 1',
    };
    return createNode({
      name: `RabbitMQ ${index + 1}`,
      port,
      start: () =>
        startProcess({
          name: `RabbitMQ ${index + 1}`,
          command: programs.server,
          args: [],
          env,
          cwd: folder,
          logFile: file('rabbitmq.log'),
          stopTimeoutMs: 15_000,
          onSpawn,
        }),
    });
  }

  /**
   * Evaluates Erlang code on a node, which takes about 30 ms. Retries failed calls, because on a busy machine the node may not
   * accept calls yet.
   */
  function evaluate(index: number, code: string): Promise<string> {
    return retryUntil(() => evaluateOnce(index, code), 10_000);
  }
  async function evaluateOnce(index: number, code: string): Promise<string> {
    const erlCall = join(dirname(dirname(programs.epmd)), 'lib/erlang/bin/erl_call');
    const running = promisify(execFile)(erlCall, ['-sname', names[index] ?? '', '-c', cookie, '-e'], {
      env: base,
      timeout: 5_000,
    });
    running.child.stdin?.end(`${code}\n`);
    return (await running).stdout;
  }
  /** Checks that all nodes are running and have joined the cluster. @throws Error if a node is missing */
  async function checkMembers(): Promise<void> {
    const running = await evaluate(0, 'rabbit_mnesia:cluster_nodes(running).');
    if (!names.every((name) => running.includes(name))) throw new Error(`only these nodes run: ${running}`);
  }
  const others = (index: number): number[] => names.map((_, at) => at).filter((at) => at !== index);
  const setCookies = async (index: number, value: string): Promise<void> => {
    for (const other of others(index)) {
      await evaluate(index, `erlang:set_cookie('${names[other]}', ${value}).`);
      await evaluate(other, `erlang:set_cookie('${names[index]}', ${value}).`);
    }
  };
  /** Restarts nodes that are still paused, as an operator would: now and then, RabbitMQ does not notice the end of a partition. */
  async function restartPaused(): Promise<void> {
    for (const [at, node] of nodes.entries()) {
      if ((await evaluate(at, 'rabbit:is_running().')).includes('true')) continue;
      const exited = node.exited();
      node.kill('SIGKILL');
      await exited;
      await node.restart();
    }
    await retryUntil(checkMembers, 60_000);
  }
  return {
    url: urls.join(),
    nodes,
    leader: (stream) =>
      retryUntil(async () => {
        await checkMembers();
        const code = `{ok,Q}=rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>,queue,<<"${stream}">>)), node(amqqueue:get_pid(Q)).`;
        const response = await evaluate(0, code);
        const leader = names.findIndex((name) => response.includes(name));
        if (leader < 0) throw new Error(`${stream} has no leader: ${response}`);
        return leader;
      }, 30_000),
    // Nodes with different cookies reject each other's connections. This causes a real partition without special privileges.
    cut: async (index) => {
      await setCookies(index, 'parted');
      for (const other of others(index)) await evaluate(index, `erlang:disconnect_node('${names[other]}').`);
    },
    heal: async (index) => {
      await setCookies(index, cookie);
      await retryUntil(checkMembers, 15_000).catch(restartPaused);
    },
    alarm: async (index, state) => {
      const limit = state === 'on' ? '{absolute,1}' : '{absolute,1000000000}';
      await evaluate(index, `vm_memory_monitor:set_vm_memory_high_watermark(${limit}).`);
    },
    close: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
      await epmd.stop();
    },
  };
}
