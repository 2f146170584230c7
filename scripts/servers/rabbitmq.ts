import { connect } from 'amqplib';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from './command.ts';
import type { Downloads } from './downloads.ts';
import { freePort } from './free-port.ts';
import { privateEnvironment } from './private-libraries.ts';
import { cannotBeHad, refusal } from './refusal.ts';
import { startProcess, waitUntilReady } from './server-process.ts';
import type { Server, StartServerOptions } from './server.ts';

export type RabbitmqPrograms = { server: string; epmd: string; env: NodeJS.ProcessEnv };

/** What Debian's and Ubuntu's rabbitmq-server needs, without what only its installation needs. */
const erlang =
  'asn1 base crypto eldap ftp inets mnesia os-mon parsetools public-key runtime-tools snmp ssl syntax-tools'
    .concat(' tftp tools xmerl')
    .split(' ');
const packages = ['rabbitmq-server', 'socat', ...erlang.map((name) => `erlang-${name}`)];

/** rabbitmq-server on the PATH, else Debian's or Ubuntu's package with its Erlang, fetched. Refuses if neither can be had. */
export async function findRabbitmq(downloads: Downloads): Promise<RabbitmqPrograms> {
  const installed = installedServer();
  const epmd = onPath('epmd');
  if (installed && epmd) return { server: installed, epmd, env: process.env };
  try {
    const root = await downloads.cached('rabbitmq', async (into) => {
      if (/\s/.test(into)) throw refusal(`its scripts can't run in a folder with a blank in its name (${into})`);
      await downloads.debianPackages(packages, into);
      makeMovable(join(into, 'usr/lib/erlang/bin/erl'));
    });
    const server = join(root, 'usr/lib/rabbitmq/bin/rabbitmq-server');
    return { server, epmd: join(root, 'usr/bin/epmd'), env: privateEnvironment(root) };
  } catch (error) {
    throw cannotBeHad({
      server: 'RabbitMQ 3.9 or newer',
      variable: 'RABBITMQ_URL',
      example: 'amqp://guest:guest@127.0.0.1:5672',
      program: 'rabbitmq-server',
      fetchedWith: 'have a network, on Debian or Ubuntu: it is fetched from their packages',
      error,
    });
  }
}

/** Debian's rabbitmq-server on the PATH changes to another user first; the one behind it does not. */
function installedServer(): string | undefined {
  const found = onPath('rabbitmq-server');
  const behind = '/usr/lib/rabbitmq/bin/rabbitmq-server';
  const wrapped = found && realpathSync(found).endsWith('rabbitmq-script-wrapper');
  return (wrapped || found?.startsWith('/usr/sbin/')) && existsSync(behind) ? behind : found;
}

/** Debian's `erl` knows only where it would have been installed: let it look where it is. */
function makeMovable(erl: string): void {
  const here = '$(dirname "$(dirname "$(realpath "$0")")")';
  writeFileSync(erl, readFileSync(erl, 'utf8').replaceAll('ROOTDIR=/usr/lib/erlang', `ROOTDIR="${here}"`));
}

export type StartRabbitmqOptions = StartServerOptions<RabbitmqPrograms> & {
  /** Where the management plugin answers, over HTTP on 127.0.0.1; without it the plugin is off. */
  managementPort?: number;
};

/**
 * Starts a broker that listens on 127.0.0.1 alone, with an epmd of its own; they end together. User and password are
 * guest, as everywhere.
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
  const ended = broker.exited.then(epmd.stop);
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
      await ended;
    },
  };
}

/** rabbitmq-env(5): everything that would lie outside `dataDir` is moved into it, and the script becomes the broker. */
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
    RABBITMQ_NODENAME: 'comanda@localhost', // data belongs to a name, whatever port it has today
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

/** Resolves if a broker at `url` lets us in; else rejects within 2 seconds. */
export async function checkRabbitmq(url: string): Promise<void> {
  const connection = await connect(url, { timeout: 2_000 });
  await connection.close();
}
