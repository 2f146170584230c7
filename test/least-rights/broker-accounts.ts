import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import type { IsolatedServers } from '@comanda/testing/isolated-servers';
import { managementCall } from '@comanda/testing/rabbitmq-management';

/** A virtual host on the test broker, with the accounts from docs/run/least-privilege.md. */
export type BrokerAccounts = {
  urlOf: (service: string) => string;
  /** Creates a second account for a service, with the same permissions as the first, and returns the URL with its password. */
  addSecond: (service: string) => Promise<string>;
  /** Deletes a service's first account. */
  removeFirst: (service: string) => Promise<void>;
  remove: () => Promise<void>;
};

/** Creates the accounts as the commands in docs/run/least-privilege.md would, but through the broker's management API. */
export async function createBrokerAccounts({ rabbitmqUrl, database: vhost }: IsolatedServers): Promise<BrokerAccounts> {
  const [, commands = ''] =
    /```sh rabbitmq\n(.*?)```/s.exec(readFileSync(join(root, 'docs/run/least-privilege.md'), 'utf8')) ?? [];
  const argumentsOf = (command: string): string[][] => readArguments(commands, command);
  const password = randomBytes(16).toString('hex');
  const userOf = (service: string): string => `${vhost}-${service}`;
  const services = argumentsOf('add_user').flatMap(([service]) => service ?? []);
  const created = new Set<string>();
  const add = async (service: string, user: string, secret: string): Promise<string> => {
    await managementCall('PUT', `users/${user}`, { password: secret, tags: '' });
    created.add(user);
    const of = (command: string): string[][] => argumentsOf(command).filter(([name]) => name === service);
    for (const [, configure, write, read] of of('set_permissions'))
      await managementCall('PUT', `permissions/${vhost}/${user}`, { configure, write, read });
    for (const [, exchange, write, read] of of('set_topic_permissions'))
      await managementCall('PUT', `topic-permissions/${vhost}/${user}`, { exchange, write, read });
    return Object.assign(new URL(rabbitmqUrl), { username: user, password: secret }).href;
  };
  const remove = async (user: string): Promise<void> => {
    await managementCall('DELETE', `users/${user}`);
    created.delete(user);
  };
  const urls = new Map<string, string>();
  for (const service of services) urls.set(service, await add(service, userOf(service), password));
  return {
    urlOf: (service) => urls.get(service) ?? '',
    addSecond: (service) => add(service, `${userOf(service)}-2`, randomBytes(16).toString('hex')),
    removeFirst: (service) => remove(userOf(service)),
    remove: async () => {
      for (const user of created) await remove(user);
    },
  };
}

/** Returns the arguments from each line that starts with this command, without quotes and without the virtual host. */
const readArguments = (commands: string, command: string): string[][] =>
  commands
    .split('\n')
    .filter((line) => line.startsWith(`rabbitmqctl ${command} `))
    .map((line) =>
      [...line.replace(/^rabbitmqctl \w+ (--vhost comanda )?/, '').matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      ),
    );
