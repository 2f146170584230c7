import { expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { runKills } from './support/kills.ts';

test('when two instances are killed twenty times under load, then no order, number, portion or event is lost or doubled', async () => {
  const report = await runKills({ servers: await isolatedServers('orders-kills'), kills: 20 });

  expect(report.broken).toEqual([]);
  expect(report.kills).toBe(20);
  expect(report.placed).toBeGreaterThan(100);
  expect(report.moved).toBeGreaterThan(100);
}, 180_000);
