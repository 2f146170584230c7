import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { serviceImage } from '@comanda/local-stack/service-image';
import { compileCacheDir } from './environment.ts';
import { createLogCollector } from './log-collector.ts';
import { testServiceSettings } from './test-secrets.ts';
import { until } from './until.ts';
import { untilReady } from './until-ready.ts';

const ownRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns true if a process on this machine listens on the port. Connecting is faster than waiting for a request to fail. */
async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A running service, in this process or in a separate one. */
export type RunningService = {
  url: string;
  /** The URL of the service's metrics. */
  metricsUrl: string;
  /** Returns everything that the service has written to its log so far, including before a restart. */
  output: () => string;
  /** Waits until the service and everything it needs are ready. */
  ready: () => Promise<void>;
  close: () => Promise<void>;
};
/** A service in a separate process. A test can stop it, kill it, and restart it on the same port with the same settings. */
export type ServiceProcess = RunningService & {
  pid: () => number;
  start: () => Promise<void>;
  /** Sends the signal and waits until the process has exited. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** Returns the running process, for a test that exchanges messages with it. */
  child: () => ChildProcess;
};

/** How long a service may take to exit, in milliseconds. Closing takes less time than this, even if something hangs. */
const endTimeoutMs = 60_000;

/** The file that a container image runs, for benchmarks. `npm run build` creates it. */
export const builtFile = 'dist/main.js';

/**
 * The service to start. `file` is the path of its main file. `root` is another copy of the repository, from which the service is
 * started. With `prepares: false`, the first start does not prepare the service's database.
 */
export type Started = { file?: string; root?: string; prepares?: boolean };
const sources = { flags: ['--conditions=source'], prepare: 'src/prepare.ts' };

/**
 * Starts `services/<name>/src/main.ts`, or another `file` of the service, with the Node flags from the service's image. Resolves
 * once the service is listening, which may be before it is ready. If `file` is not `src/main.ts`, the started process can exchange
 * messages with this one.
 */
export async function startServiceProcess(
  name: string,
  env: Record<string, string>,
  { file = 'src/main.ts', root = ownRoot, prepares = true }: Started = {},
): Promise<ServiceProcess> {
  const image = serviceImage(name);
  const port = env['PORT'] && env['PORT'] !== '0' ? env['PORT'] : String(await freePort());
  const url = `${env['TLS_CERT_FILE'] ? 'https' : 'http'}://127.0.0.1:${port}`;
  // Only services whose main port clients can reach have a separate port for metrics.
  const metricsPort = name === 'gateway' || name === 'notifier' ? String(await freePort()) : port;
  const collector = createLogCollector(name);
  let output = '';
  let child: ChildProcess | undefined;

  const kind = file === builtFile ? { flags: [], prepare: 'dist/prepare.js' } : sources;
  const prepare = join(root, 'services', name, kind.prepare);
  // The service's process itself prepares the database, because the modules are loaded there anyway.
  let first = prepares && existsSync(prepare) ? ['--import', prepare] : [];

  async function start(): Promise<void> {
    const flags = [...image.flags, ...kind.flags, ...first];
    first = [];
    const started = spawn(process.execPath, [...flags, `services/${name}/${file}`], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: compileCacheDir(),
        ...image.env,
        NODE_ENV: 'test',
        ...testServiceSettings(name),
        ...env,
        PORT: port,
        METRICS_PORT: metricsPort,
        METRICS_AGE_MS: '0',
        HOST: '127.0.0.1',
        METRICS_HOST: '127.0.0.1',
      },
      stdio: ['ignore', 'pipe', 'pipe', ...(['src/main.ts', builtFile].includes(file) ? [] : (['ipc'] as const))],
    });
    started.setMaxListeners(0); // Any number of commands may wait for replies.
    child = started;
    endWithThisProcess(started);
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
      collector.write(chunk.toString());
    };
    started.stdout?.on('data', keep);
    started.stderr?.on('data', keep);
    await until(
      async () => {
        if (started.exitCode !== null || started.signalCode !== null)
          throw new Error(`${name} ended:\n${output.slice(-2000)}`);
        return accepts(Number(port));
      },
      { timeoutMs: 100_000, what: `${name} to listen` },
    );
  }
  await start().catch((error: unknown) => {
    child?.kill('SIGKILL');
    throw error;
  });
  const end: ServiceProcess['end'] = async (signal) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const started = child;
    const { pid = 0 } = started;
    const ended = once(started, 'exit', { signal: AbortSignal.timeout(endTimeoutMs) });
    started.kill(signal);
    await ended.catch(async (cause: unknown) => {
      const what = `${name} has not ended ${endTimeoutMs} ms after ${signal}`;
      if (!hasClosed(output)) throw new Error(`${what}:\n${threadsOf(pid)}\n${output.slice(-2000)}`, { cause });
      process.stderr.write(`${what}: it hangs in the end of Node, and is killed, as a container is\n`);
      const killed = once(started, 'exit');
      started.kill('SIGKILL');
      await killed;
    });
  };
  return {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}`,
    pid: () => child?.pid ?? 0,
    output: () => output,
    start,
    end,
    close: () => end('SIGTERM'),
    ready: () => untilReady(url.startsWith('https:') ? `http://127.0.0.1:${metricsPort}` : url),
    child: () => {
      if (!child) throw new Error(`${name} was not started`);
      return child;
    },
  };
}

/**
 * Returns true if the log ends with the line that says that the service has closed everything. If the process still does not
 * exit, Node itself hangs (nodejs/node#54918).
 */
export const hasClosed = (log: string): boolean => log.endsWith('"msg":"closed"}\n');

/** Describes each thread of a process: its name, its state, what it is waiting for, and its CPU time so far. */
export function threadsOf(pid: number): string {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return 'nobody knows what its threads do';
  const read = (thread: string, file: string): string => {
    try {
      return readFileSync(join(folder, thread, file), 'utf8').trim();
    } catch {
      return ''; // The thread has just ended.
    }
  };
  const lines = readdirSync(folder).map((thread) => {
    const [state = '', ...fields] = read(thread, 'stat')
      .replace(/^.*\) /s, '')
      .split(' ');
    const ticks = Number(fields[10]) + Number(fields[11]);
    return `thread ${read(thread, 'comm')}: ${state} in ${read(thread, 'wchan') || '?'}, ${ticks * 10} ms of a processor`;
  });
  return lines.join('\n');
}

/** Kills the child when this process exits, because a benchmark or a test that crashes can't stop it. */
function endWithThisProcess(child: ChildProcess): void {
  const kill = (): boolean => child.kill('SIGKILL');
  process.setMaxListeners(0); // Each service adds a listener.
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

/** Returns the log lines about unknown errors. An `internal_error` is always a defect, even if a test has killed something. */
export const internalErrors = (services: readonly Pick<RunningService, 'output'>[]): string[] =>
  services.flatMap((service) =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes('"code":"internal_error"')),
  );
