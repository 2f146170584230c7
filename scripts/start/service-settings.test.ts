import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { isFree } from '@comanda/local-stack/servers/free-port';
import { newSecrets } from '@comanda/local-stack/secrets';
import { serviceSettings } from './service-settings.ts';

test('a service gets another port if its usual one is in use', async () => {
  const other = createServer();
  if (await isFree(3001)) await once(other.listen(3001, '127.0.0.1'), 'listening');
  const lines: string[] = [];
  try {
    const settings = await serviceSettings({
      start: { gatewayPort: 3003, notifierPort: 3004, lan: false },
      servers: { mongodbUri: '', redisUrl: '', rabbitmqUrl: '' },
      secrets: newSecrets(),
      publicHost: 'localhost',
      certificate: null,
      bank: {},
      env: {},
      log: (line) => void lines.push(line),
    });

    const portOf = (name: 'orders' | 'transfers'): string => new URL(settings[name].url).port;
    expect(lines).toContain(`orders: port 3001 is in use, so it listens on ${portOf('orders')}`);
    expect(lines).toContain(`transfers: port 3003 is in use, so it listens on ${portOf('transfers')}`);
    expect(portOf('orders')).not.toBe('3001');
  } finally {
    other.close();
  }
});

test('gateway, auth-stepup and notifier know the separate staff host', async () => {
  const staff = 'http://staff.localhost:3000';
  const settings = await serviceSettings({
    start: { gatewayPort: 3000, notifierPort: 3004, lan: false },
    servers: { mongodbUri: '', redisUrl: '', rabbitmqUrl: '' },
    secrets: newSecrets(),
    publicHost: 'localhost',
    certificate: null,
    bank: {},
    env: { STAFF_URL: staff },
    log: () => undefined,
  });

  expect([settings.gateway.env['STAFF_URL'], settings['auth-stepup'].env['STAFF_URL']]).toEqual([staff, staff]);
  expect(settings.notifier.env['ALLOWED_ORIGINS']?.split(',')).toEqual(
    expect.arrayContaining([staff, 'http://localhost:3000']),
  );
});
