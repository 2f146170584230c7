import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '@comanda/shared/config/load-config';
import type { Settings } from '@comanda/shared/config/load-config';
import { serveHealth, servePublicHealth } from '@comanda/shared/http/health';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import { parse } from 'yaml';
import { publicSignIns } from './demo-sign-ins.ts';
import { root } from './root.ts';
import { serviceImage } from './service-image.ts';
import { settingsOfService } from './settings-of-service.ts';
import { serviceNames } from './start/service-settings.ts';
import type { ServiceName } from './start/service-settings.ts';

type Container = {
  image?: string;
  build?: { args?: Record<string, string | null>; target?: string };
  environment?: Record<string, string | number | null>;
  secrets?: readonly { source: string; target: string }[];
  ports?: readonly string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { interval: string; start_interval: string };
  volumes?: readonly string[];
  [option: string]: unknown;
};
type Compose = { services: Record<string, Container>; secrets?: Record<string, { file: string }> };

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
/** A compose file with the values of its `${NAME:-default}`. What must be set (`${NAME:?}`) has a value from `variables`. */
function readCompose(file: string, variables: Record<string, string> = {}): Compose {
  let text = read(file).replaceAll(/\$\{(\w+):\?\}/g, (_all, name: string) => variables[name] ?? '');
  const withDefault = /\$\{\w+:-([^${}]*)\}/g; // the innermost one
  while (withDefault.test(text)) text = text.replaceAll(withDefault, '$1');
  return parse(text, { merge: true }) as Compose;
}

const demo = readCompose('docker-compose.yml');
const production = readCompose('docker-compose.production.yml', {
  VERSION: '1.0.0',
  PUBLIC_URL: 'https://menu.example.com',
  NOTIFIER_PUBLIC_URL: 'https://feed.example.com',
});
const files = [
  ['docker-compose.yml', demo],
  ['docker-compose.production.yml', production],
] as const;
const containers = files.flatMap(([file, { services }]) =>
  serviceNames.map((name) => [file, name, services[name] ?? {}] as const),
);
const settings = Object.fromEntries(
  await Promise.all(serviceNames.map(async (name) => [name, await settingsOfService(name)] as const)),
) as Record<ServiceName, Settings>;
/** What a service may get: its settings, each secret also as a file, and NODE_ENV. */
const namesOf = (service: ServiceName): string[] => [
  'NODE_ENV',
  ...Object.values(settings[service]).flatMap(({ env, secret }) => (secret ? [env, `${env}_FILE`] : [env])),
];
const entriesOf = ({ environment = {} }: Container) => Object.entries(environment);
const key = Buffer.alloc(32, 7).toString('base64');
/** What the operator writes into the files of the secrets. */
const secretFiles: Record<string, string> = {
  mongodb_uri: 'mongodb://orders:secret@database/?replicaSet=main',
  redis_url: 'rediss://:secret@redis',
  rabbitmq_url: 'amqps://orders:secret@broker/main',
  key_sealing_secret: `first:${key}`,
  pin_pepper: `first:${key}`,
};

/** The settings of a container as its service reads them; files of secrets have the content of `secretFiles`. */
function loadSettingsOf(service: ServiceName, container: Container): Record<string, unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  try {
    for (const { target } of container.secrets ?? []) writeFileSync(join(folder, target), secretFiles[target] ?? '');
    const inFolder = (value: string): string => value.replace(/^\/run\/secrets/, folder);
    const own = entriesOf(container).flatMap(([name, value]) =>
      value === null ? [] : [[name, inFolder(String(value))] as const],
    );
    const image = serviceImage(service);
    return loadConfig(settings[service], { ...image.env, ...image.ownEnv, ...Object.fromEntries(own) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.each(containers)('%s: %s', (_file, service, container) => {
  test('when the service starts, then it accepts its settings', () => {
    expect(loadSettingsOf(service, container)).toMatchObject({ host: '0.0.0.0' });
  });

  test('when a variable is set, then the service has such a setting', () => {
    expect(namesOf(service)).toEqual(expect.arrayContaining(entriesOf(container).map(([name]) => name)));
  });

  test('when it calls another service, then at the port on which that one listens', () => {
    const calls = entriesOf(container).flatMap(([, value]) => {
      const { hostname, port } = URL.parse(String(value)) ?? {};
      return serviceNames.some((name) => name === hostname) ? [{ hostname, port }] : [];
    });

    for (const { hostname = '', port } of calls) expect(port).toBe(serviceImage(hostname).ownEnv['PORT']);
  });

  test('when its image is built, then for this service', () => {
    expect(container.build?.args).toMatchObject({ SERVICE: service });
    expect(container.build?.target).toBeUndefined();
  });

  test('when it runs, then with few rights and limits, and there is time to close', () => {
    expect(container).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      init: true,
      restart: 'unless-stopped',
      stop_grace_period: '25s', // longer than the 20 s in which a service closes
      mem_limit: expect.any(String),
      logging: { options: { 'max-size': expect.any(String) } },
    });
  });
});

describe.each(files)('%s', (_file, compose) => {
  test('when ports are published, then only this machine reaches them, and they are the ports of their services', () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${port}`),
    );

    expect(published).toEqual(['gateway 127.0.0.1:3000:3000', 'notifier 127.0.0.1:3004:3004']);
    for (const each of published)
      expect(each.split(':').at(-1)).toBe(serviceImage(each.split(' ')[0] ?? '').ownEnv['PORT']);
  });

  test('when a container depends on another, then it waits until that one is healthy', () => {
    const conditions = Object.values(compose.services).flatMap(({ depends_on: dependencies = {} }) =>
      Object.entries(dependencies),
    );

    expect(conditions.length).toBeGreaterThan(0);
    for (const [name, { condition }] of conditions) {
      expect(Object.keys(compose.services)).toContain(name);
      expect(condition).toBe('service_healthy');
    }
  });

  test('when it stops, then the gateway stops before the services that it calls, and those before auth-stepup', () => {
    const { gateway, orders, transfers, notifier } = compose.services;

    expect(Object.keys(gateway?.depends_on ?? {})).toEqual(
      expect.arrayContaining(['orders', 'auth-stepup', 'transfers', 'notifier']),
    );
    for (const service of [orders, transfers, notifier]) expect(service?.depends_on).toHaveProperty('auth-stepup');
  });
});

describe('the demo', () => {
  test.each(serviceNames)('when it stops, then %s stops before the servers that it uses', (name) => {
    const hosts = new Set(entriesOf(demo.services[name] ?? {}).map(([, value]) => URL.parse(String(value))?.hostname));
    const servers = ['mongodb', 'redis', 'rabbitmq'].filter((server) => hosts.has(server));

    expect(servers).not.toHaveLength(0);
    for (const server of servers) expect(demo.services[name]?.depends_on).toHaveProperty(server);
  });

  test.each(['mongodb', 'redis', 'rabbitmq', 'seed'])(
    'when %s has started, then it is known within seconds, and asked rarely afterwards',
    (name) => {
      expect(demo.services[name]?.healthcheck).toMatchObject({
        start_interval: expect.stringMatching(/^[12]s$/),
        interval: expect.stringMatching(/^(30s|60s|1h)$/),
      });
    },
  );

  test('when production gets the secrets of the demo, then it refuses them', () => {
    const { seed: _seed, ...services } = demo.services;
    const withSecrets = serviceNames.filter((name) => services[name]?.environment?.['KEY_SEALING_SECRET']);

    expect(withSecrets.toSorted()).toEqual(['auth-stepup', 'transfers']);
    for (const name of withSecrets)
      expect(() =>
        loadSettingsOf(name, {
          environment: { ...services[name]?.environment, NODE_ENV: 'production' },
        }),
      ).toThrow(/KEY_SEALING_SECRET: a demo secret/);
  });

  test('when the demo is set up, then its passwords are kept in a volume, and none is in the file', () => {
    expect(demo.services['seed']).toMatchObject({
      environment: { SIGN_INS_FILE: '/demo/sign-ins.json' },
      volumes: ['demo:/demo'],
      build: { target: 'seed', args: { SERVICE: 'auth-stepup' } },
    });
    expect(read('docker-compose.yml')).not.toContain(publicSignIns.manager.password);
  });

  test('when `up` waits, then until the demo is complete, because the container then still runs', () => {
    const { command, healthcheck, tmpfs } = demo.services['seed'] ?? {};

    expect(command).toEqual([
      'sh',
      '-c',
      'node scripts/seed-containers.ts && touch /tmp/complete && exec sleep infinity',
    ]);
    expect(healthcheck).toMatchObject({ test: ['CMD', 'test', '-f', '/tmp/complete'] });
    expect(tmpfs).toEqual(['/tmp']); // empty after each start
  });
});

describe('production', () => {
  test('when a secret is set, then as a file that exists for this service alone', () => {
    for (const name of serviceNames) {
      const { environment = {}, secrets = [] } = production.services[name] ?? {};
      const own = Object.values(settings[name]).filter(({ secret }) => secret);
      const paths = own.map(({ env }) => environment[`${env}_FILE`]);

      expect(own.map(({ env }) => env in environment)).not.toContain(true);
      expect(new Set(paths)).toEqual(new Set(secrets.map(({ target }) => `/run/secrets/${target}`)));
      for (const { source, target } of secrets)
        expect(production.secrets?.[source]).toEqual({ file: `./secrets/${name}/${target}` });
    }
  });

  test('when an image is built, then nothing from the folder of the secrets is in it', () => {
    expect(read('.dockerignore').split('\n')).toContain('*');
    expect(read('.dockerignore')).not.toMatch(/^!.*(secrets|\.env)/m);
    expect(read('.gitignore').split('\n')).toContain('/secrets/');
  });

  test('when the document about deployment names a file of a secret, then production reads it, and it names all', () => {
    const document = read('docs/deployment.md');
    const documented = [...document.matchAll(/`secrets\/[\w{},<>-]+\/(\w+)`/g)].map(([, name]) => name);
    const inFile = Object.values(production.secrets ?? {}).map(({ file }) => file.split('/').at(-1));

    expect(new Set(documented)).toEqual(new Set(inFile));
  });
});

describe('the health check of the images', () => {
  const [, command = '[]'] = /^HEALTHCHECK (?:.*?) CMD (\[.*?\])$/ms.exec(read('Dockerfile')) ?? [];
  const [, ...args] = JSON.parse(command.replaceAll('\\\n', '')) as string[];

  test.each([
    { what: 'a service', serve: serveHealth, isUp: true, exitCode: 0 },
    { what: 'a service without a server that it needs', serve: serveHealth, isUp: false, exitCode: 1 },
    { what: 'the gateway', serve: servePublicHealth, isUp: true, exitCode: 0 },
  ])('when it asks $what, then its exit code is $exitCode', async ({ serve, isUp, exitCode }) => {
    const app = express();
    serve(app, { metrics: createMetrics('any'), dependencies: [{ name: 'any', need: 'hard', isUp: () => isUp }] });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = { PORT: String((server.address() as AddressInfo).port) };
    const check = promisify(execFile)(process.execPath, args, { env }).then(
      () => 0,
      ({ code }: { code: number }) => code,
    );

    expect(await check.finally(() => server.close())).toBe(exitCode);
  });

  test('when nobody listens, then its exit code is 1', async () => {
    const check = promisify(execFile)(process.execPath, args, { env: { PORT: '1' } });

    await expect(check).rejects.toMatchObject({ code: 1, stderr: '' });
  });
});

describe('the image that sets up the demo', () => {
  test('when it runs, then it has every script that is imported, and no other', () => {
    const found = new Set<string>();
    const follow = (file: string): void => {
      if (found.has(file)) return;
      found.add(file);
      for (const [, path = ''] of read(file).matchAll(/ from '(\.[^']+)'/g)) follow(join(dirname(file), path));
    };
    follow('scripts/seed-containers.ts');
    const copied = [...read('Dockerfile').matchAll(/^COPY (scripts\/.*) scripts\/\S*$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );

    expect(copied.toSorted()).toEqual([...found].toSorted());
    expect(copied.every((path) => existsSync(join(root, relative('.', path))))).toBe(true);
  });
});
