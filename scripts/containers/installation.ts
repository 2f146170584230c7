import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import type { Docker } from './docker.ts';
import { pageBlock } from './page-block.ts';

/** A production installation, with a single password for this run's server accounts. */
export type Installation = { folder: string; password: string; secretFile: (service: string, name: string) => string };

/**
 * Installs production in a folder as docs/run/one-server.md describes, with the compose file, `deploy/compose-update`, and the
 * files under secrets/. Adds the rights from deploy/rights for this run's servers.
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
  execFileSync('sh', ['-ec', pageBlock('secrets')], { cwd: folder });
  for (const [service, urls] of Object.entries(urlsOf(password)))
    for (const [name, url] of Object.entries(urls)) {
      mkdirSync(dirname(secretFile(service, name)), { recursive: true });
      writeFileSync(secretFile(service, name), `${url}\n`);
    }
  return { folder, password, secretFile };
}

function urlsOf(password: string): Record<string, Record<string, string>> {
  const mongodb = (user: string) => ({ mongodb_uri: `mongodb://${user}:${password}@mongodb/?replicaSet=main` });
  const redis = (user: string) => ({ redis_url: `redis://${user}:${password}@redis` });
  const rabbitmq = (user: string) => ({ rabbitmq_url: `amqp://${user}:${password}@rabbitmq/comanda` });
  const withDatabase = ['orders', 'auth-stepup', 'transfers'];
  return {
    gateway: redis('gateway'),
    orders: { ...mongodb('orders'), ...rabbitmq('orders') },
    'auth-stepup': { ...mongodb('auth-stepup'), ...redis('auth-stepup'), ...rabbitmq('auth-stepup') },
    transfers: { ...mongodb('transfers'), ...rabbitmq('transfers') },
    notifier: rabbitmq('notifier'),
    ...Object.fromEntries(withDatabase.map((service) => [`prepare/${service}`, mongodb(`${service}-prepare`)])),
  };
}

/** Creates the servers' accounts with the commands from docs/run/least-privilege.md and the files in deploy/rights. */
export async function createAccounts({ compose }: Docker, { password }: Installation): Promise<void> {
  const mongosh = ['exec', '-T', 'mongodb', 'mongosh', '--quiet'];
  const account = { user: 'root', pwd: password, roles: ['root'] };
  await compose(...mongosh, '--eval', `db.getSiblingDB('admin').createUser(${JSON.stringify(account)})`);
  const asRoot = `mongodb://root:${password}@mongodb/?replicaSet=main`;
  // Answers the password prompt in place of an administrator.
  await compose(...mongosh, asRoot, '--eval', `passwordPrompt = () => '${password}'`, '--file', '/rights/mongodb.js');
  for (const command of pageBlock('rabbitmq').trim().split('\n')) {
    const words = command.replaceAll('PASSWORD', password).replaceAll("'", '').split(' ');
    await compose('exec', '-T', 'rabbitmq', ...words);
  }
}
