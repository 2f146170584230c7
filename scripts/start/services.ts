import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '@comanda/local-stack/root';
import { lastLines } from '@comanda/local-stack/servers/command';
import { serviceImage } from '@comanda/local-stack/service-image';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { endOf, startProcess, type OnSpawn, type ServerProcess } from '@comanda/local-stack/servers/server-process';
import type { ServiceName } from '@comanda/local-stack/stack-settings';

const source = (service: string, script: string): string[] => [
  '--conditions=source',
  join(root, 'services', service, script),
];

/** Starts a service's sources with this version of Node and the flags from its image. */
export const startService = (options: {
  name: ServiceName;
  env: NodeJS.ProcessEnv;
  logFile: string;
  onSpawn: OnSpawn;
}): Promise<ServerProcess> =>
  startProcess({
    ...options,
    command: process.execPath,
    args: [...serviceImage(options.name).flags, ...source(options.name, 'src/main.ts')],
    cwd: root,
  });

/** Runs a service's command with the service's settings, and returns its standard output. */
export async function runServiceCommand(options: {
  service: string;
  script: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}): Promise<string> {
  const { service, script, args, env } = options;
  try {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [...source(service, script), ...args], { cwd: root, env });
    return stdout;
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw refusal(`${service}'s ${script} failed:\n${lastLines(stderr, 12)}`, error);
  }
}

/** The services that have a database. */
const withDatabase = ['auth-stepup', 'orders', 'transfers'] as const;

/**
 * Prepares the services' databases.
 * @throws Refusal with a service's output
 */
export async function prepareDatabases(settings: Record<ServiceName, { env: NodeJS.ProcessEnv }>): Promise<void> {
  await Promise.all(
    withDatabase.map((service) =>
      runServiceCommand({ service, script: 'src/prepare.ts', args: [], env: settings[service].env }),
    ),
  );
}

type Waiting = {
  name: ServiceName;
  url: string;
  /** The URL whose `/readyz` names the dependencies that are down. */
  healthUrl: string;
  exitCount: () => number;
  logFile: string;
};

/** How many unexpected exits mean that a service cannot start. */
const maxExits = 3;
const limitMs = 60_000;

/**
 * Waits until every service is ready, and logs every 5 seconds which ones are not, and why.
 * @throws Refusal with the last lines of a service's log if the service keeps exiting or is not ready after 60 seconds
 */
export async function waitForServices(services: readonly Waiting[], log: (line: string) => void): Promise<void> {
  const startedAt = Date.now();
  let loggedAt = startedAt;
  let waiting = services.map((service) => ({ ...service, why: 'starting' }));
  while (waiting.length > 0) {
    const checked = await Promise.all(waiting.map(async (service) => ({ ...service, why: await whyUnready(service) })));
    waiting = checked.filter(({ why }) => why !== '');
    for (const { name, exitCount, why, logFile } of waiting)
      if (exitCount() >= maxExits || Date.now() - startedAt > limitMs)
        throw refusal(
          `${name} is not ready: ${why}. The last lines of its log (${logFile}):\n${lastLines(endOf(logFile), 12)}`,
        );
    if (waiting.length > 0 && Date.now() - loggedAt > 5_000) {
      loggedAt = Date.now();
      log(`still starting: ${waiting.map(({ name, why }) => `${name} (${why})`).join(', ')}`);
    }
    if (waiting.length > 0) await delay(50);
  }
}

async function whyUnready({ url, healthUrl, exitCount }: Waiting): Promise<string> {
  const ask = (at: string): Promise<Response> => fetch(`${at}/readyz`, { signal: AbortSignal.timeout(3_000) });
  try {
    if ((await ask(url)).ok) return '';
    const { dependencies = {} } = (await (await ask(healthUrl)).json()) as { dependencies?: Record<string, string> };
    const down = Object.keys(dependencies).filter((name) => dependencies[name] !== 'up');
    return `it is not connected yet to ${down.join(', ') || 'a dependency'}`;
  } catch {
    return exitCount() > 0 ? `it has exited ${exitCount()} times` : 'it does not answer yet'; // nothing listens on the port yet
  }
}
