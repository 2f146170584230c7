import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, type Settings } from '@comanda/shared/config/load-config';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { root } from '@comanda/local-stack/root';
import { serviceImage } from '@comanda/local-stack/service-image';
import { settingsOfService } from '@comanda/local-stack/settings-of-service';
import {
  perService,
  serviceNames,
  stackSettings,
  type ServiceName,
  type StackSettings,
} from '@comanda/local-stack/stack-settings';

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
type Compose = {
  services: Record<string, Container>;
  secrets?: Record<string, { file: string }>;
  /** The STAFF_URL that the operator has set. */
  staffUrl?: string | undefined;
};

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
/**
 * Parses a compose file and fills in each `${NAME:-default}`. Required variables (`${NAME:?}`) and optional ones
 * (`${NAME:+text}`) get their values from `variables`.
 */
function readCompose(file: string, variables: Record<string, string> = {}): Compose {
  const valueOf = (_all: string, name: string): string => variables[name] ?? '';
  let text = read(file)
    .replaceAll(/\$\{(\w+):\?\}/g, valueOf)
    .replaceAll(/\$\{(\w+):\+,\$\{\1:-\}\}/g, (_all, name: string) => (variables[name] ? `,${variables[name]}` : ''));
  const withDefault = /\$\{\w+:-([^${}]*)\}/g; // matches only a default without other variables inside it
  while (withDefault.test(text)) text = text.replaceAll(withDefault, '$1');
  const compose = parse(text, { merge: true }) as Compose;
  for (const { environment = {} } of Object.values(compose.services))
    for (const name of Object.keys(environment)) environment[name] ??= variables[name] ?? null;
  return { ...compose, staffUrl: variables['STAFF_URL'] };
}

const demo = readCompose('docker-compose.yml');
const ofProduction = {
  VERSION: '1.0.0',
  PUBLIC_URL: 'https://menu.example.com',
  NOTIFIER_PUBLIC_URL: 'https://feed.example.com',
  TRUSTED_PROXIES: '172.31.240.1',
};
const production = readCompose('docker-compose.production.yml', ofProduction);
const staffUrl = { STAFF_URL: 'https://staff.example.com' };
const files = [
  ['docker-compose.yml', demo],
  ['docker-compose.yml with STAFF_URL', readCompose('docker-compose.yml', staffUrl)],
  ['docker-compose.production.yml', production],
  [
    'docker-compose.production.yml with STAFF_URL',
    readCompose('docker-compose.production.yml', { ...ofProduction, ...staffUrl }),
  ],
] as const;
const containers = files.flatMap(([file, compose]) =>
  serviceNames.map((name) => ({ file, service: name, compose, container: compose.services[name] ?? {} })),
);
const settings = Object.fromEntries(
  await Promise.all(serviceNames.map(async (name) => [name, await settingsOfService(name)] as const)),
) as Record<ServiceName, Settings>;
/** Returns the variables that a service may have: its settings, the file variable of each secret, and NODE_ENV. */
const namesOf = (service: ServiceName): string[] => [
  'NODE_ENV',
  ...Object.values(settings[service]).flatMap(({ env, secret }) => (secret ? [env, `${env}_FILE`] : [env])),
];
const entriesOf = ({ environment = {} }: Container) => Object.entries(environment);
const key = Buffer.alloc(32, 7).toString('base64');
/** The values that the operator writes to the secrets' files. */
const secretFiles: Record<string, string> = {
  mongodb_uri: 'mongodb://orders:secret@database/?replicaSet=main',
  redis_url: 'rediss://:secret@redis',
  rabbitmq_url: 'amqps://orders:secret@broker/main',
  key_sealing_secret: `first:${key}`,
  pin_pepper: `first:${key}`,
  service_secret: key,
  auth_stepup_caller_secrets: ['gateway', 'orders', 'transfers', 'notifier'].map((name) => `${name}:${key}`).join(','),
  orders_caller_secrets: `auth-stepup:${key},transfers:${key}`,
  transfers_caller_secrets: `auth-stepup:${key}`,
};

/** Returns a container's variables. Each `NAME_FILE` becomes `NAME`, with the file's content. */
const variablesOf = (container: Container): Record<string, string> =>
  Object.fromEntries(
    entriesOf(container).flatMap(([name, value]) => {
      if (value === null) return [];
      const [, file] = /^\/run\/secrets\/(\w+)$/.exec(String(value)) ?? [];
      if (file === undefined) return [[name, String(value)]];
      const source = container.secrets?.find(({ target }) => target === file)?.source ?? '';
      return [[name.replace(/_FILE$/, ''), secretFiles[file] ?? secretFiles[source] ?? '']];
    }),
  );
/** Returns the environment of the container's process. */
function environmentOf(service: ServiceName, container: Container): Record<string, string> {
  const image = serviceImage(service);
  return { ...image.env, ...image.ownEnv, ...variablesOf(container) };
}
const loadSettingsOf = (service: ServiceName, container: Container): Record<string, unknown> =>
  loadConfig(settings[service], environmentOf(service, container));

/** Returns the settings from `stackSettings` for services that use each other's names and their images' ports. */
function expectedSettings({ services, staffUrl: staff }: Compose): StackSettings {
  const variables = perService((name) => variablesOf(services[name] ?? {}));
  const { gateway, 'auth-stepup': auth, transfers } = variables;
  const get = (of: Record<string, string>, name: string): string => of[name] ?? '';
  return stackSettings({
    urls: perService((name) => `http://${name}:${serviceImage(name).ownEnv['PORT']}`),
    publicUrls: {
      gateway: get(gateway, 'PUBLIC_URL'),
      notifier: get(gateway, 'NOTIFIER_PUBLIC_URL'),
      ...(staff !== undefined && { staff }),
    },
    servers: {
      mongodbUri: get(auth, 'MONGODB_URI'),
      redisUrl: get(auth, 'REDIS_URL'),
      rabbitmqUrl: get(auth, 'RABBITMQ_URL'),
    },
    secrets: {
      authSealingSecret: get(auth, 'KEY_SEALING_SECRET'),
      transfersSealingSecret: get(transfers, 'KEY_SEALING_SECRET'),
      pinPepper: get(auth, 'PIN_PEPPER'),
      services: perService((name) => get(variables[name], 'SERVICE_SECRET')),
    },
  });
}

describe.each(containers)('$file: $service', ({ service, container, compose }) => {
  test('accepts its settings when it starts', () => {
    expect(loadSettingsOf(service, container)).toMatchObject({ host: '0.0.0.0' });
  });

  test('has only variables that are settings', () => {
    expect(namesOf(service)).toEqual(expect.arrayContaining(entriesOf(container).map(([name]) => name)));
  });

  test('has all settings that the local stack gives it', () => {
    const expected = expectedSettings(compose)[service];

    expect(Object.values(expected)).not.toContain('');
    expect(environmentOf(service, container)).toMatchObject(expected);
  });

  test('prepares its database, if it has one, before it starts', () => {
    const hasDatabase = existsSync(join(root, 'services', service, 'src/prepare.ts'));
    const command = ['sh', '-c', 'node dist/prepare.js && exec sh start.sh'];

    expect('mongodbUri' in settings[service]).toBe(hasDatabase);
    expect(container['command']).toEqual(hasDatabase ? command : undefined);
  });

  test('runs an image that was built for it', () => {
    expect(container.build?.args).toMatchObject({ SERVICE: service });
    expect(container.build?.target).toBeUndefined();
  });

  test('has few rights and enough time to close', () => {
    expect(container).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      init: true,
      restart: 'unless-stopped',
      stop_grace_period: '30s', // a service needs up to 20 s to close
      mem_limit: expect.any(String),
      logging: { options: { 'max-size': expect.any(String) } },
    });
  });
});

describe.each(files)('%s', (_file, compose) => {
  test('opens its ports only to this machine', () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${port}`),
    );

    expect(published).toEqual(['gateway 127.0.0.1:3000:3000', 'notifier 127.0.0.1:3004:3004']);
    for (const each of published)
      expect(each.split(':').at(-1)).toBe(serviceImage(each.split(' ')[0] ?? '').ownEnv['PORT']);
  });

  test('waits until a dependency is healthy', () => {
    const conditions = Object.values(compose.services).flatMap(({ depends_on: dependencies = {} }) =>
      Object.entries(dependencies),
    );

    expect(conditions.length).toBeGreaterThan(0);
    for (const [name, { condition }] of conditions) {
      expect(Object.keys(compose.services)).toContain(name);
      expect(condition).toBe('service_healthy');
    }
  });

  test('stops the gateway before the services that it calls', () => {
    const { gateway, orders, transfers, notifier } = compose.services;

    expect(Object.keys(gateway?.depends_on ?? {})).toEqual(
      expect.arrayContaining(['orders', 'auth-stepup', 'transfers', 'notifier']),
    );
    for (const service of [orders, transfers, notifier]) expect(service?.depends_on).toHaveProperty('auth-stepup');
  });
});

describe('the demo', () => {
  test.each(serviceNames)('stops %s before the servers that it uses', (name) => {
    const hosts = new Set(entriesOf(demo.services[name] ?? {}).map(([, value]) => URL.parse(String(value))?.hostname));
    const servers = ['mongodb', 'redis', 'rabbitmq'].filter((server) => hosts.has(server));

    expect(servers).not.toHaveLength(0);
    for (const server of servers) expect(demo.services[name]?.depends_on).toHaveProperty(server);
  });

  test.each(['mongodb', 'redis', 'rabbitmq', 'seed'])('detects within seconds that %s has started', (name) => {
    expect(demo.services[name]?.healthcheck).toMatchObject({
      start_interval: expect.stringMatching(/^[12]s$/),
      interval: expect.stringMatching(/^(30s|60s|1h)$/),
    });
  });

  test('has only secrets that production rejects', () => {
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

  test('stores its passwords only in a volume', () => {
    expect(demo.services['seed']).toMatchObject({
      environment: { SIGN_INS_FILE: '/demo/sign-ins.json' },
      volumes: ['demo:/demo'],
      build: { target: 'seed', args: { SERVICE: 'auth-stepup' } },
    });
    expect(read('docker-compose.yml')).not.toContain(publicSignIns.manager.password);
  });

  test('makes `up` wait until the demo is complete', () => {
    const { command, healthcheck, tmpfs } = demo.services['seed'] ?? {};

    expect(command).toEqual([
      'sh',
      '-c',
      "node packages/local-stack/src/seed-containers.ts && touch /tmp/complete && trap 'exit 0' TERM && { sleep infinity & wait; }",
    ]);
    expect(healthcheck).toMatchObject({ test: ['CMD', 'test', '-f', '/tmp/complete'] });
    expect(tmpfs).toEqual(['/tmp']); // a tmpfs is empty after each start
  });
});

describe('production', () => {
  test.each(serviceNames)('lets an operator set each setting for %s in .env', (name) => {
    const { env, ownEnv } = serviceImage(name);
    // These are not in .env: the databases of three services share a setting's name, and some settings apply only inside a
    // container.
    const left = ['MONGODB_DATABASE', 'METRICS_PORT', 'METRICS_HOST', 'TLS_CERT_FILE', 'TLS_KEY_FILE'];
    const notListed = Object.values(settings[name])
      .filter(({ secret, env: setting }) => !secret && !(setting in { ...env, ...ownEnv }))
      .map(({ env: setting }) => setting)
      .filter((setting) => !(setting in (production.services[name]?.environment ?? {})));

    expect(left).toEqual(expect.arrayContaining(notListed));
  });

  test('has a file for each secret of each service', () => {
    for (const name of serviceNames) {
      const { environment = {}, secrets = [] } = production.services[name] ?? {};
      const own = Object.values(settings[name]).filter(
        ({ secret, schema }) => secret && schema.validate(undefined).error,
      );
      const paths = own.map(({ env }) => environment[`${env}_FILE`]);

      expect(own.map(({ env }) => env in environment)).not.toContain(true);
      expect(new Set(paths)).toEqual(new Set(secrets.map(({ target }) => `/run/secrets/${target}`)));
      for (const { source, target } of secrets)
        expect(production.secrets?.[source]).toEqual({ file: `./secrets/${name}/${target}` });
    }
  });

  test('uses exactly the secret files listed on the page about one server', () => {
    const document = read('docs/run/one-server.md');
    const documented = [...document.matchAll(/`secrets\/[\w{},<>-]+\/(\w+)`/g)].map(([, name]) => name);
    const inFile = Object.values(production.secrets ?? {}).map(({ file }) => file.split('/').at(-1));

    expect(new Set(documented)).toEqual(new Set(inFile));
  });
});
