// Resident memory of each of the five services, ready and idle, run with the flags of its image.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '@comanda/local-stack/root';
import { serviceImage } from '@comanda/local-stack/service-image';
import { newSecrets } from '@comanda/local-stack/secrets';
import { serviceNames, stackSettings, type ServiceName } from '@comanda/local-stack/stack-settings';
import { freeUrls } from '@comanda/testing/stack';
import { until } from '@comanda/testing/until';
import { startBenchServers } from './stack.ts';
import { limit, residentMb } from './support.ts';

const rounds = 3;
const idleMs = 30_000;

const secrets = newSecrets();
const servers = await startBenchServers();

function start(name: ServiceName, settings: Record<string, string>): ChildProcess {
  const image = serviceImage(name);
  return spawn(process.execPath, [...image.flags, image.main], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    // Production refuses the account guest:guest of the bench's broker.
    env: { ...image.env, NODE_ENV: 'test', HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...settings },
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
  const urls = await freeUrls();
  const settings = stackSettings({ urls, servers, secrets });
  const started = serviceNames.map((name) => start(name, settings[name]));
  try {
    const measuring = serviceNames.map(async (name) => [name, await residentWhenIdle(urls[name])] as const);
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
