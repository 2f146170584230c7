// Resident memory of each of the five services, ready and idle, run with the flags of its image.
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../scripts/root.ts';
import { serviceImage } from '../scripts/service-image.ts';
import { serviceNames, serviceSettings } from '../scripts/start/service-settings.ts';
import type { ServiceName, ServiceSettings } from '../scripts/start/service-settings.ts';
import { freePort } from '@comanda/testing/service-process';
import { until } from '@comanda/testing/until';
import { startBenchServers } from './stack.ts';
import { limit, residentMb } from './support.ts';

const rounds = 3;
const idleMs = 30_000;

const key = (): string => `bench:${randomBytes(32).toString('base64')}`;
const secrets = { authSealingSecret: key(), transfersSealingSecret: key(), pinPepper: key() };
const servers = await startBenchServers();

async function stackSettings(): Promise<Record<ServiceName, ServiceSettings>> {
  const [gatewayPort, notifierPort] = [await freePort(), await freePort()];
  return serviceSettings({
    start: { reset: false, lan: false, dinner: null, gatewayPort, notifierPort, given: {} },
    servers: { mongodb: servers.mongodbUri, redis: servers.redisUrl, rabbitmq: servers.rabbitmqUrl },
    secrets,
    publicHost: 'localhost',
    env: { REDIS_PREFIX: servers.redisPrefix, LOG_LEVEL: 'warn' },
    log: console.error,
  });
}

function start(name: ServiceName, settings: NodeJS.ProcessEnv): ChildProcess {
  const image = serviceImage(name);
  const { NODE_COMPILE_CACHE: _none, ...env } = { ...image.env, ...settings };
  return spawn(process.execPath, [...image.flags, image.main], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    // Production refuses the account guest:guest of the bench's broker.
    env: { ...env, NODE_ENV: 'test', MONGODB_DATABASE: `${servers.database}_idle_${name}` },
  });
}

async function end(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  await ended;
}

async function residentWhenIdle(url: string): Promise<number> {
  const isReady = async (): Promise<boolean> => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false;
  await until(isReady, { what: `${url} to be ready`, timeoutMs: 60_000 });
  await pause(idleMs);
  return residentMb(url);
}

/** Starts all services, measures them and stops them. */
async function measureStack(): Promise<Map<ServiceName, number>> {
  const settings = await stackSettings();
  const started = serviceNames.map((name) => start(name, settings[name].env));
  try {
    const measuring = serviceNames.map(async (name) => [name, await residentWhenIdle(settings[name].url)] as const);
    return new Map(await Promise.all(measuring));
  } finally {
    await Promise.all(started.map(end));
  }
}

try {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const measured: Map<ServiceName, number>[] = [];
  while (measured.length < rounds) measured.push(await measureStack());
  for (const name of serviceNames) {
    const figures = measured.map((figuresOf) => figuresOf.get(name) ?? NaN).values();
    await limit({
      name: `idle-memory-${name}`,
      what: `${name}, ${idleMs / 1000} s after it is ready`,
      unit: 'MB',
      atMost: 90,
      rounds,
      ours: () => Promise.resolve(figures.next().value ?? NaN),
    });
  }
} finally {
  await servers.stop();
}
