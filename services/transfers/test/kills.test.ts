import { expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { runKills } from './support/kills.ts';

/** At least one of each instance and server. */
const kills = budget(3, 100);

test('when transfers, mongod, redis-server and auth-stepup are killed during transfers, then every promise is kept', async () => {
  const { rabbitmqUrl } = await isolatedServers('transfers-kills');
  const report = await runKills({ rabbitmqUrl, kills });
  expect(report.broken).toEqual([]);
  expect(report.kills).toBe(kills);
  expect(report.answers['201']).toBeGreaterThan(kills);
  expect(report.answers['422 insufficient_funds']).toBeGreaterThan(0);
  expect(report.replayed).toBeGreaterThan(0);
  expect(report.reusedTokens).toBeGreaterThan(0);
}, 300_000);
