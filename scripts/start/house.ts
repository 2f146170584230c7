import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { comandaDir, programsDir } from '../root.ts';
import { seedDemoHouse } from '../seed.ts';
import { announce } from './announce.ts';
import type { StartOptions } from './arguments.ts';
import { checkBeforeStart, lanAddress } from './before-start.ts';
import { keepLogsShort } from './logs.ts';
import type { OwnProcesses } from './own-processes.ts';
import { createRunFile, type RunFile } from './run-file.ts';
import { loadSecrets } from './secrets.ts';
import { provideServers, titles, type FoundServer } from './servers.ts';
import { serviceNames, serviceSettings, type ServiceName, type ServiceSettings } from './service-settings.ts';
import { runServiceCommand, startService, waitForServices } from './services.ts';

const dataDir = join(comandaDir, 'data');
const logsDir = join(comandaDir, 'logs');
const seededFile = join(dataDir, 'seeded');
export const starterFile = join(comandaDir, 'starter.json');
export const runFile = join(comandaDir, 'run.json');

type Context = { start: StartOptions; own: OwnProcesses; say: (line: string) => void };

/**
 * Starts servers and services and seeds the demo house; resolves when all of it is ready and has been announced.
 * @throws Refusal that says what can't be had, and what to do
 */
export async function startHouse(context: Context): Promise<void> {
  const { start, own, say } = context;
  await checkBeforeStart(start, comandaDir);
  if (start.reset) {
    say('forgetting the data of earlier runs');
    rmSync(dataDir, { recursive: true, force: true });
  }
  mkdirSync(dataDir, { recursive: true });
  keepLogsShort(logsDir);

  const run = createRunFile(runFile);
  const secrets = loadSecrets(join(dataDir, 'secrets.json'));
  const publicHost = start.lan ? lanAddress() : 'localhost';
  const { onSpawn } = own;
  const servers = await provideServers({ given: start.given, programsDir, dataDir, logsDir, log: say, onSpawn });
  await Promise.all(Object.values(servers).map((server) => keepServer(server, own, run)));

  const urls = { mongodb: servers.mongodb.url, redis: servers.redis.url, rabbitmq: servers.rabbitmq.url };
  const settings = await serviceSettings({ start, servers: urls, secrets, publicHost, env: process.env });
  await startServices(settings, context, run);

  const ours = Object.values(servers).every((server) => server.ours);
  if (ours && !existsSync(seededFile)) await seed(settings, say);
  run.publish();
  say('ready');
  await announce({ settings, lan: start.lan, demo: ours, logsDir });
}

/** Ours is started again, on its port, if it ends; the services find it there. */
async function keepServer({ name, url, ours }: FoundServer, own: OwnProcesses, run: RunFile): Promise<void> {
  if (!ours) return run.note(name, { url });
  let first: FoundServer['ours'] | undefined = ours;
  await own.keep(titles[name], {
    start: async () => {
      const server = first ? first.first : await ours.startAgain();
      first = undefined;
      return server;
    },
    onStart: (pid) => run.note(name, { url, pid }),
  });
}

async function startServices(
  settings: Record<ServiceName, ServiceSettings>,
  { own, say }: Context,
  run: RunFile,
): Promise<void> {
  say(`starting ${serviceNames.join(', ')}`);
  const waiting = [];
  for (const name of serviceNames) {
    const { url, env } = settings[name];
    const logFile = join(logsDir, `${name}.log`);
    const { ends } = await own.keep(name, {
      start: () => startService({ name, env, logFile, onSpawn: own.onSpawn }),
      onStart: (pid) => run.note(name, { url, pid }),
    });
    waiting.push({ name, url, ends, logFile });
  }
  await waitForServices(waiting, say);
}

async function seed(settings: Record<ServiceName, ServiceSettings>, say: (line: string) => void): Promise<void> {
  say('setting up the demo house, once');
  await seedDemoHouse({
    gatewayUrl: settings.gateway.url,
    runServiceCommand: (service, script, { args, env }) =>
      runServiceCommand({ service, script, args, env: { ...settings[service as ServiceName].env, ...env } }),
    log: (line) => say(`demo house: ${line}`),
  });
  writeFileSync(seededFile, `${new Date().toISOString()}\n`);
}
