// Resident memory of each of the five services, ready and idle, run with the flags of its image.
import { setTimeout as pause } from 'node:timers/promises';
import { testSecrets } from '@comanda/testing/test-secrets';
import { serviceNames, stackSettings, type ServiceName } from '@comanda/local-stack/stack-settings';
import { builtFile, startServiceProcess } from '@comanda/testing/service-process';
import { freeUrls } from '@comanda/testing/stack';
import { buildServices, startBenchServers } from './stack.ts';
import { limit, residentMb } from './support.ts';

const rounds = 3;
const idleMs = 30_000;

const secrets = testSecrets();
const servers = await startBenchServers();

/** Starts all services, measures them and stops them. */
async function measureStack(): Promise<Map<ServiceName, number>> {
  const settings = stackSettings({ urls: await freeUrls(), servers, secrets });
  const started = await Promise.all(
    serviceNames.map((name) =>
      startServiceProcess(name, { LOG_LEVEL: 'warn', ...settings[name] }, { file: builtFile }),
    ),
  );
  try {
    await Promise.all(started.map((service) => service.ready()));
    await pause(idleMs);
    const figures = await Promise.all(started.map(({ metricsUrl }) => residentMb(metricsUrl)));
    return new Map(serviceNames.map((name, index) => [name, figures[index] ?? NaN]));
  } finally {
    await Promise.all(started.map((service) => service.end('SIGTERM')));
  }
}

try {
  buildServices();
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
