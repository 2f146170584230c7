import { expect, test } from '@jest/globals';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createPixMetrics } from './pix-metrics.ts';

test('a state in which no Pix is left counts 0', async () => {
  const registry = createMetrics('transfers');
  const metrics = createPixMetrics(registry, { bank: null, clock: Date.now });
  metrics.setCounts(new Map([['settling', 1]]), null);
  expect(await registry.metrics()).toMatch(/comanda_pix_receipts\{state="settling".*\} 1\n/);

  metrics.setCounts(new Map(), null);

  expect(await registry.metrics()).toMatch(/comanda_pix_receipts\{state="settling".*\} 0\n/);
});
