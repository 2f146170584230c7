import { expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { runKills } from './support/kills.ts';

const kills = budget(2, 100);

test('when two instances are killed under load, then no order, number, portion or event is lost or doubled', async () => {
  const report = await runKills({ servers: await isolatedServers('orders-kills'), kills });

  expect(report.broken).toEqual([]);
  expect(report.kills).toBe(kills);
  expect(report.placed).toBeGreaterThan(budget(0, kills));
  expect(report.moved).toBeGreaterThanOrEqual(budget(0, kills)); // each client places an order first, and may not come so far
}, 1_200_000);
