import { expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { runKills } from './support/kills.ts';

test('when two instances are killed twenty times while orders come in and move, then every promise is kept', async () => {
  const report = await runKills({ servers: await isolatedServers('orders-kills'), kills: 20 });
  expect(report.broken).toEqual([]);
  expect(report.kills).toBe(20);
  expect(report.placed).toBeGreaterThan(100);
  expect(report.moved).toBeGreaterThan(100);
}, 180_000);
