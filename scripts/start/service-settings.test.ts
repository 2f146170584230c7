import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { isFree } from '@comanda/local-stack/servers/free-port';
import { newSecrets } from '@comanda/local-stack/secrets';
import { serviceSettings } from './service-settings.ts';

test('when the usual port of a service is in use, then it gets another, which is logged', async () => {
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
