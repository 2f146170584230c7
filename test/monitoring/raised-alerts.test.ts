import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { scrapeAll } from './raised-alerts.ts';

const metric = 'comanda_orders_total{role="waiter"} 1\n';
/** The response to the first scrape, which the server sends too late. */
let late: ServerResponse | undefined;
const server = createServer((_req, res) => {
  if (late) res.end(metric);
  else late = res;
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a service whose response comes too late is scraped again', async () => {
  const { port } = server.address() as AddressInfo;

  const found = await scrapeAll({ orders: { metricsUrl: `http://127.0.0.1:${port}` } });

  expect([...found]).toEqual([['comanda_orders_total{role="waiter",instance="orders"}', '1']]);
});
