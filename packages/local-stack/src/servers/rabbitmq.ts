import { closeConnection } from '@comanda/shared/messaging/connection';
import { connect } from 'amqplib';
import { existsSync, globSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { onPath } from './command.ts';
import type { Downloads } from './downloads.ts';
import { freePort } from './free-port.ts';
import { privateEnvironment } from './private-libraries.ts';
import { refusal } from './refusal.ts';
import { startProcess, waitUntilReady } from './server-process.ts';
import type { Server, StartServerOptions } from './server.ts';
import { refuseWithoutDownload } from './ways-out.ts';

export type RabbitmqPrograms = { server: string; epmd: string; env: NodeJS.ProcessEnv };

/** The Erlang packages that rabbitmq-server needs on Debian and Ubuntu. */
const erlang =
  'asn1 base crypto inets mnesia os-mon parsetools public-key runtime-tools ssl syntax-tools tools xmerl'.split(' ');
/** Matches plugins that this project does not enable, and packages that only those plugins use. */
const unusedPlugins =
  /^(?:rabbitmq_(?!(?:prelaunch|management|management_agent|web_dispatch)-)|(?:accept|amqp10_client|base64url|eetcd|gun|jose|prometheus|quantile_estimator)-)/;
const packages = ['rabbitmq-server', 'socat', ...erlang.map((name) => `erlang-${name}`)];

/**
 * Finds rabbitmq-server on the PATH, or downloads Debian's or Ubuntu's package together with Erlang.
 * @throws Refusal if the package can't be downloaded
 */
export async function findRabbitmq(downloads: Downloads): Promise<RabbitmqPrograms> {
  const installed = installedServer();
  const epmd = onPath('epmd');
  if (installed && epmd) return { server: installed, epmd, env: process.env };
  refuseWithoutDownload('rabbitmq');
  const root = await downloads.cached('rabbitmq', async (into) => {
    if (/\s/.test(into)) throw refusal(`its scripts don't run in a folder whose path contains a space (${into})`);
    await downloads.debianPackages(packages, into);
    makeRelocatable(join(into, 'usr/lib/erlang/bin/erl'));
  });
  removeUnusedPlugins(root);
  const server = join(root, 'usr/lib/rabbitmq/bin/rabbitmq-server');
  return { server, epmd: join(root, 'usr/bin/epmd'), env: privateEnvironment(root) };
}

/**
 * Returns the script of the server that is installed. On Debian, the rabbitmq-server on the PATH is only a wrapper, which
 * switches to another user and runs this script.
 */
function installedServer(): string | undefined {
  const found = onPath('rabbitmq-server');
  const script = '/usr/lib/rabbitmq/bin/rabbitmq-server';
  const wrapped = found && realpathSync(found).endsWith('rabbitmq-script-wrapper');
  return (wrapped || found?.startsWith('/usr/sbin/')) && existsSync(script) ? script : found;
}

/**
 * Rewrites Debian's `erl` script so that it works in any folder: it uses the script's own folder instead of the installation
 * path.
 */
function makeRelocatable(erl: string): void {
  const here = '$(dirname "$(dirname "$(realpath "$0")")")';
  writeFileSync(erl, readFileSync(erl, 'utf8').replaceAll('ROOTDIR=/usr/lib/erlang', `ROOTDIR="${here}"`));
}

/**
 * Removes unused plugins. A broker searches all plugin folders for each of its modules, so without them it needs a third less CPU
 * time to start. Folders that an earlier version downloaded still contain all plugins.
 */
function removeUnusedPlugins(root: string): void {
  for (const folder of globSync(join(root, 'usr/lib/rabbitmq/lib/rabbitmq_server-*/plugins/*')))
    if (unusedPlugins.test(basename(folder))) rmSync(folder, { recursive: true, force: true });
}

export type StartRabbitmqOptions = StartServerOptions<RabbitmqPrograms> & {
  /** The management plugin's HTTP port on 127.0.0.1. Undefined turns the plugin off. */
  managementPort?: number;
};

/**
 * Starts a broker on 127.0.0.1 with its own epmd, which stops with the broker. The user name and the password are both RabbitMQ's
 * default, `guest`.
 */
export async function startRabbitmq(options: StartRabbitmqOptions): Promise<Server> {
  const { programs, dataDir, onSpawn, managementPort } = options;
  const { port = await freePort(), logFile = join(dataDir, 'rabbitmq.log') } = options;
  mkdirSync(dataDir, { recursive: true });
  const epmdPort = await freePort();
  const env = {
    ...programs.env,
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ...settings({ dataDir, port, managementPort, distributionPort: await freePort() }),
  };
  const common = { env, cwd: dataDir, logFile, onSpawn };
  const epmdArgs = ['-port', String(epmdPort), '-address', '127.0.0.1'];
  const epmd = await startProcess({ ...common, name: 'epmd', command: programs.epmd, args: epmdArgs });
  const broker = await startProcess({
    ...common,
    name: 'RabbitMQ',
    command: programs.server,
    args: [],
    stopTimeoutMs: 15_000,
  });
  const epmdStopped = broker.exited.then(epmd.stop);
  const url = `amqp://guest:guest@127.0.0.1:${port}`;
  await waitUntilReady({
    name: 'RabbitMQ',
    process: broker,
    ready: () => checkRabbitmq(url),
    logFile,
    timeoutMs: 60_000,
  });
  return {
    url,
    port,
    pid: broker.pid,
    processes: [broker.identity, epmd.identity],
    exited: broker.exited,
    kill: broker.kill,
    stop: async () => {
      await broker.stop();
      await epmdStopped;
    },
  };
}

/**
 * Returns environment variables that keep all files inside `dataDir`, and make the start script `exec` the broker (see
 * rabbitmq-env(5)).
 */
function settings(options: {
  dataDir: string;
  port: number;
  distributionPort: number;
  managementPort: number | undefined;
}): NodeJS.ProcessEnv {
  const { dataDir, port, distributionPort, managementPort } = options;
  const configFile = join(dataDir, 'rabbitmq.conf');
  const pluginsFile = join(dataDir, 'enabled_plugins');
  const management = [
    `management.tcp.ip = 127.0.0.1`,
    `management.tcp.port = ${managementPort}`,
    `management_agent.disable_metrics_collector = true`,
  ];
  const lines = [
    `listeners.tcp.1 = 127.0.0.1:${port}`,
    'disk_free_limit.absolute = 200MB',
    'vm_memory_high_watermark.absolute = 1GB',
    ...(managementPort === undefined ? [] : management),
  ];
  writeFileSync(configFile, `${lines.join('\n')}\n`);
  writeFileSync(pluginsFile, managementPort === undefined ? '[].\n' : '[rabbitmq_management].\n');
  return {
    HOME: dataDir,
    RUNNING_UNDER_SYSTEMD: 'true',
    RABBITMQ_NODENAME: 'comanda@localhost', // Stored data belongs to a node name, so the name must not contain the port.
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_MNESIA_BASE: join(dataDir, 'mnesia'),
    RABBITMQ_LOG_BASE: join(dataDir, 'log'),
    RABBITMQ_CONFIG_FILE: configFile,
    RABBITMQ_ENABLED_PLUGINS_FILE: pluginsFile,
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_PID_FILE: join(dataDir, 'rabbitmq.pid'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  };
}

/** Checks that a broker accepts a connection at `url`. Otherwise rejects within 2 seconds. */
export async function checkRabbitmq(url: string): Promise<void> {
  const connection = await connect(url, { timeout: 2_000 });
  await closeConnection(connection);
}
