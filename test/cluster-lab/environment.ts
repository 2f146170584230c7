import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import type { Secrets } from '@comanda/local-stack/secrets';
import type { ServerUrls } from '@comanda/local-stack/servers/ephemeral-servers';
import { settingsOfService } from '@comanda/local-stack/settings-of-service';
import { serviceNames, stackSettings } from '@comanda/local-stack/stack-settings';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { parse, stringify } from 'yaml';

/** All calls come from this machine, and guests order without pause. */
const settings = {
  ...withoutLimits,
  TRUSTED_PROXIES: 'loopback',
  CUSTOMER_OPEN_ORDERS: 1_000_000,
  CUSTOMER_OPEN_ITEMS: 1_000_000,
  CUSTOMER_PORTION_PERCENT: 100,
  SOCKETS_PER_USER: 10_000,
  // Five new processes at a time take both cores of a small machine: a PIN or a password waits then.
  HASH_WAIT_MS: 10_000,
  PIN_HASH_WAIT_MS: 10_000,
  LOG_LEVEL: 'warn',
};

/** Writes the values of all five releases: deploy/environment.example.yaml with the settings of the lab. */
export function writeEnvironment(file: string): void {
  const text = readFileSync(join(root, 'deploy/environment.example.yaml'), 'utf8');
  const { global } = parse(text) as { global: { settings: object } };
  writeFileSync(file, stringify({ global: { ...global, settings: { ...global.settings, ...settings } } }));
}

/** Writes the files of each service's Secret, `folder/SERVICE/KEY`, as docs/operations.md has them. */
export async function writeSecrets(options: { folder: string; servers: ServerUrls; secrets: Secrets }): Promise<void> {
  const { folder, servers, secrets } = options;
  const stack = stackSettings({
    servers: {
      mongodbUri: servers.MONGODB_URI,
      redisUrl: servers.REDIS_URL,
      rabbitmqUrl: servers.RABBITMQ_URL,
    },
    secrets,
  });
  for (const service of serviceNames) {
    mkdirSync(join(folder, service), { recursive: true, mode: 0o700 });
    for (const { env, secret } of Object.values(await settingsOfService(service))) {
      const value = stack[service][env];
      if (secret && value !== undefined)
        writeFileSync(join(folder, service, env.toLowerCase()), value, { mode: 0o600 });
    }
  }
}
