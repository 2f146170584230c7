// Measures the resident memory of each of the five services when it is ready and idle. Each service is started as in its image.
// The baseline is Node with the same flags and drivers, connected to the same servers at the same time. As in an image, neither
// side has a compile cache.
import { setTimeout as pause } from 'node:timers/promises';
import { serviceImage } from '@comanda/local-stack/service-image';
import { serviceNames, stackSettings, type ServiceName } from '@comanda/local-stack/stack-settings';
import { builtFile, startServiceProcess } from '@comanda/testing/service-process';
import { freeUrls } from '@comanda/testing/stack';
import { testSecrets } from '@comanda/testing/test-secrets';
import { startPeer } from './peers/start-peer.ts';
import { buildServices, startBenchServers } from './stack.ts';
import { compare, residentMb } from './support.ts';

const rounds = process.env['BENCH_TRY'] === undefined ? 3 : 1;
const idleMs = 30_000;
const asInImage = { NODE_DISABLE_COMPILE_CACHE: '1', LOG_LEVEL: 'warn' };

const secrets = testSecrets();
const servers = await startBenchServers();
type Figures = Record<ServiceName, { ours: number; peer: number }>;

/** Starts all services and baselines, measures their memory and stops them. */
async function measureAll(): Promise<Figures> {
  const settings = stackSettings({ urls: await freeUrls(), servers, secrets });
  const services = await Promise.all(
    serviceNames.map((name) => startServiceProcess(name, { ...settings[name], ...asInImage }, { file: builtFile })),
  );
  // The first start also prepares the database. In production, a separate process does this, so the services are restarted first.
  await Promise.all(services.map((service) => service.ready()));
  await Promise.all(services.map((service) => service.end('SIGTERM')));
  await Promise.all(services.map((service) => service.start()));
  const peers = await Promise.all(
    serviceNames.map((name) => {
      const { flags, env } = serviceImage(name);
      return startPeer('drivers.mjs', { flags, args: [name], env: { ...env, ...settings[name], ...asInImage } });
    }),
  );
  try {
    await Promise.all(services.map((service) => service.ready()));
    await pause(idleMs);
    const figures = serviceNames.map((name, index) => {
      const [ours, peer] = [services[index]?.pid() ?? 0, peers[index]?.pid ?? 0].map(residentMb);
      return [name, { ours, peer }];
    });
    return Object.fromEntries(figures) as Figures;
  } finally {
    for (const peer of peers) peer.end();
    await Promise.all(services.map((service) => service.end('SIGTERM')));
  }
}

try {
  buildServices();
  const measured: Figures[] = [];
  while (measured.length < rounds) measured.push(await measureAll());
  for (const name of serviceNames) {
    const side = (which: 'ours' | 'peer') => {
      const figures = measured.map((each) => each[name][which]).values();
      return (): Promise<number> => Promise.resolve(figures.next().value ?? NaN);
    };
    await compare({
      name: `idle-memory-${name}`,
      what: `${name}, ${idleMs / 1_000} s after it is ready`,
      unit: 'MB',
      rounds,
      ours: side('ours'),
      peers: { 'Node with the same drivers': { run: side('peer'), atMost: 1.25 } },
    });
  }
} finally {
  await servers.stop();
}
