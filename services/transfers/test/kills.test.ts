import { expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { runKills } from './support/kills.ts';

test('when transfers, mongod, redis-server and auth-stepup are killed twenty times during transfers, then every promise is kept', async () => {
  const { rabbitmqUrl } = await isolatedServers('transfers-kills');
  const report = await runKills({ rabbitmqUrl, kills: 20 });
  expect(report.broken).toEqual([]);
  expect(report.kills).toBe(20);
  expect(report.answers['201']).toBeGreaterThan(50);
  expect(report.answers['422 insufficient_funds']).toBeGreaterThan(0);
  expect(report.replayed).toBeGreaterThan(0);
  expect(report.reusedTokens).toBeGreaterThan(0);
}, 300_000);
