import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { newSecrets } from '@comanda/local-stack/secrets';
import { refusal } from '@comanda/local-stack/servers/refusal';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import type { Docker } from './docker.ts';

/** One password for all accounts of the servers of this run. */
export type Installation = { folder: string; password: string; secretFile: (service: string, name: string) => string };

/**
 * A folder in which production is installed as docs/deployment.md says: the compose file, `deploy/compose-update`, and the
 * files under secrets/. Beside them are the rights of deploy/rights, for the servers of this run.
 */
export function createInstallation(folder: string): Installation {
  const password = randomBytes(16).toString('hex');
  cpSync(join(root, 'docker-compose.production.yml'), join(folder, 'docker-compose.production.yml'));
  cpSync(join(root, 'scripts/containers/servers.yml'), join(folder, 'servers.yml'));
  mkdirSync(join(folder, 'deploy'));
  cpSync(join(root, 'deploy/compose-update'), join(folder, 'deploy/compose-update'));
  cpSync(join(root, 'deploy/rights'), join(folder, 'rights'), { recursive: true });
  const acl = readFileSync(join(root, 'deploy/rights/redis.acl'), 'utf8').replaceAll('PASSWORD', password);
  mkdirSync(join(folder, 'acl'));
  writeFileSync(join(folder, 'acl/redis.acl'), acl);
  const secretFile = (service: string, name: string): string => join(folder, 'secrets', service, name);
  for (const [service, files] of Object.entries(secretsOf(password)))
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(folder, 'secrets', service), { recursive: true });
      writeFileSync(secretFile(service, name), `${content}\n`); // as `openssl … > FILE` writes it
    }
  return { folder, password, secretFile };
}

function secretsOf(password: string): Record<ServiceName, Record<string, string>> {
  const { authSealingSecret, transfersSealingSecret, pinPepper, services } = newSecrets();
  // The container prepares the database too.
  const mongodb = (service: string) => ({
    mongodb_uri: `mongodb://${service}-prepare:${password}@mongodb/?replicaSet=main`,
  });
  const redis = (service: string) => ({ redis_url: `redis://${service}:${password}@redis` });
  const rabbitmq = (service: string) => ({ rabbitmq_url: `amqp://${service}:${password}@rabbitmq/comanda` });
  const proof = (service: ServiceName) => ({ service_secret: services[service] });
  const callers = (...names: ServiceName[]) => ({
    caller_secrets: names.map((name) => `${name}:${services[name]}`).join(','),
  });
  return {
    gateway: { ...redis('gateway'), ...proof('gateway') },
    orders: {
      ...mongodb('orders'),
      ...rabbitmq('orders'),
      ...proof('orders'),
      ...callers('auth-stepup', 'transfers'),
    },
    'auth-stepup': {
      ...mongodb('auth-stepup'),
      ...redis('auth-stepup'),
      ...rabbitmq('auth-stepup'),
      ...proof('auth-stepup'),
      ...callers('gateway', 'orders', 'transfers', 'notifier'),
      key_sealing_secret: authSealingSecret,
      pin_pepper: pinPepper,
    },
    transfers: {
      ...mongodb('transfers'),
      ...rabbitmq('transfers'),
      ...proof('transfers'),
      ...callers('auth-stepup'),
      key_sealing_secret: transfersSealingSecret,
    },
    notifier: { ...rabbitmq('notifier'), ...proof('notifier') },
  };
}

/** The accounts of the servers, by the commands of docs/deployment.md and deploy/rights. */
export async function createAccounts({ compose }: Docker, { password }: Installation): Promise<void> {
  const mongosh = ['exec', '-T', 'mongodb', 'mongosh', '--quiet'];
  const root = { user: 'root', pwd: password, roles: ['root'] };
  await compose(...mongosh, '--eval', `db.getSiblingDB('admin').createUser(${JSON.stringify(root)})`);
  const asRoot = `mongodb://root:${password}@mongodb/?replicaSet=main`;
  // What somebody would type.
  await compose(...mongosh, asRoot, '--eval', `passwordPrompt = () => '${password}'`, '--file', '/rights/mongodb.js');
  for (const command of rabbitmqCommands()) {
    const words = command.replaceAll('PASSWORD', password).replaceAll("'", '').split(' ');
    await compose('exec', '-T', 'rabbitmq', ...words);
  }
}

function rabbitmqCommands(): string[] {
  const page = readFileSync(join(root, 'docs/deployment.md'), 'utf8');
  const [, block] = /```sh rabbitmq\n([^]*?)```/.exec(page) ?? [];
  if (block === undefined) throw refusal('docs/deployment.md has no block with commands of rabbitmqctl.');
  return block.trim().split('\n');
}
