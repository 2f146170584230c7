import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Finished } from '@comanda/local-stack/servers/command';
import { root } from '@comanda/local-stack/root';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { serviceNames, type ServiceName } from '@comanda/local-stack/stack-settings';
import { createDocker, type Docker } from './docker.ts';
import type { Installation } from './installation.ts';
import { expectIn, type Step } from './step.ts';

/** The exit code of a service with wrong settings. */
const configError = 78;

const demo = (text: string): string => `2026-1:${Buffer.from(`demo-only-${text}`.padEnd(32, '-')).toString('base64')}`;

type WrongSecret = { what: string; service: ServiceName; name: string; content: string; says: string };
const wrongSecrets: readonly WrongSecret[] = [
  ...(['auth-stepup', 'transfers'] as const).map((service) => ({
    what: `a sealing secret of the demo for ${service}`,
    service,
    name: 'key_sealing_secret',
    content: demo('sealing'),
    says: 'a demo secret is not allowed in production',
  })),
  {
    what: 'a pepper of the demo',
    service: 'auth-stepup',
    name: 'pin_pepper',
    content: demo('pepper'),
    says: 'a demo secret is not allowed in production',
  },
  {
    what: 'a service secret of the demo',
    service: 'orders',
    name: 'service_secret',
    content: demo('service').split(':')[1] ?? '',
    says: 'a demo secret is not allowed in production',
  },
  {
    what: "RabbitMQ's account guest",
    service: 'notifier',
    name: 'rabbitmq_url',
    content: 'amqp://guest:guest@rabbitmq',
    says: 'create a user for this service',
  },
  {
    what: 'an empty secret',
    service: 'gateway',
    name: 'service_secret',
    content: '',
    says: 'SERVICE_SECRET',
  },
  {
    what: 'a URL of MongoDB without its scheme',
    service: 'orders',
    name: 'mongodb_uri',
    content: 'mongodb/?replicaSet=main',
    says: 'MONGODB_URI',
  },
];

type Options = {
  docker: Docker;
  files: readonly string[];
  installation: Installation;
  step: Step;
  image: (service: ServiceName) => string;
};

/**
 * Checks that production rejects each wrong setting and secret with the right message. All secrets are valid again afterwards.
 */
export async function checkRefusals({ docker, files, installation, step, image }: Options): Promise<void> {
  const { secretFile } = installation;
  await checkBuildRefusals({ docker, step });
  for (const variable of ['VERSION', 'PUBLIC_URL', 'NOTIFIER_PUBLIC_URL', 'TRUSTED_PROXIES'])
    await step(`refused: no ${variable}`, async () => {
      const { [variable]: _missing, ...env } = docker.env;
      const finished = await createDocker({ files, env }).tryCompose('config', '--quiet');
      expectRefused(finished, { says: [variable] });
    });
  for (const service of serviceNames)
    await step(`refused: the image of ${service} without settings`, async () => {
      const finished = await docker.run(['run', '--rm', '--read-only', '--cap-drop', 'ALL', image(service)]);
      expectRefused(finished, { says: ['SERVICE_SECRET'], code: configError });
    });
  const start = (service: string) => docker.tryCompose('run', '--rm', '--no-deps', '-T', service, 'sh', 'start.sh');
  for (const { what, service, name, content, says } of wrongSecrets)
    await step(`refused: ${what}`, async () => {
      await whileChanged(secretFile(service, name), content, async () => {
        expectRefused(await start(service), { says: [says], code: configError });
      });
    });
  await step('refused: a secret that only its owner can read', async () => {
    const file = secretFile('orders', 'mongodb_uri');
    chmodSync(file, 0); // unreadable even for the file's owner, user 1000
    const finished = await start('orders').finally(() => chmodSync(file, 0o644));
    expectRefused(finished, { says: ['MONGODB_URI_FILE', 'EACCES'], code: configError });
  });
  await step('refused: no file of a secret', async () => {
    const file = secretFile('gateway', 'redis_url');
    const content = readFileSync(file, 'utf8');
    rmSync(file);
    const finished = await start('gateway').finally(() => {
      rmSync(file, { recursive: true, force: true }); // some engines create a folder in place of the missing file
      writeFileSync(file, content);
    });
    expectRefused(finished, { says: ['redis_url'] });
  });
}

/** Tries to build an unknown service, and to build without a service. */
async function checkBuildRefusals({ docker, step }: Pick<Options, 'docker' | 'step'>): Promise<void> {
  await step('refused: to build a service that does not exist', async () => {
    const finished = await docker.run(['build', '--build-arg', 'SERVICE=waiters', root]);
    expectRefused(finished, {
      says: ['SERVICE is mistyped. It is gateway, orders, auth-stepup, transfers or notifier.'],
    });
  });
  await step('refused: to build without saying which service', async () => {
    expectRefused(await docker.run(['build', root]), { says: ['Say which service: --build-arg SERVICE=orders'] });
  });
}

async function whileChanged(file: string, content: string, check: () => Promise<void>): Promise<void> {
  const right = readFileSync(file, 'utf8');
  writeFileSync(file, content);
  await check().finally(() => writeFileSync(file, right));
}

type Refused = { code?: number; says: readonly string[] };
function expectRefused({ code, output }: Finished, expected: Refused): void {
  if (code === 0) throw refusal(`It was not refused. It says:\n${output.slice(-2000)}`);
  expectIn(output, expected.says, 'The refusal');
  if (expected.code !== undefined && code !== expected.code)
    throw refusal(`It ended with ${code} instead of ${expected.code}:\n${output.slice(-2000)}`);
}
