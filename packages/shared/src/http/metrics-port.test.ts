import { describe, expect, test } from '@jest/globals';
import { Counter } from 'prom-client';
import { createMetrics } from '../runtime/metrics.ts';
import { cachedMetrics, serveMetricsPort } from './metrics-port.ts';

const config = { metricsPort: 0, metricsHost: '127.0.0.1', metricsAgeMs: 1000 };

describe('the metrics port', () => {
  test('serves the metrics, and shows the version and failing dependencies in /readyz', async () => {
    const dependencies = [{ name: 'store', need: 'hard', isUp: () => false }] as const;
    const metrics = createMetrics('test');
    const { url, close } = await serveMetricsPort({ config, version: '1.2.3', metrics, dependencies });

    const [text, ready] = await Promise.all([fetch(`${url}/metrics`), fetch(`${url}/readyz`)]);

    const lines = (await text.text()).split('\n');
    expect(lines).toContainEqual(expect.stringContaining('process_resident_memory_bytes{service="test"}'));
    expect(lines).toContain(`comanda_build_info{version="1.2.3",node="${process.version}",service="test"} 1`);
    expect(lines).toContain('comanda_dependency_up{dependency="store",need="hard",service="test"} 0');
    const response = { status: 'unready', version: '1.2.3', dependencies: { store: 'down' } };
    expect([ready.status, await ready.json()]).toEqual([503, response]);
    await close();
  });

  test("renders the metrics only once if they're requested many times within a second", async () => {
    let now = 0;
    const metrics = createMetrics('test');
    const counter = new Counter({ name: 'reads', help: 'reads', registers: [metrics] });
    const cached = cachedMetrics(metrics, { ageMs: 1000, now: () => now });
    const read = async () => /^reads\{.*\} (\d+)/m.exec(await cached.metrics())?.[1];
    const first = await read();
    counter.inc();

    now = 999;
    const soon = await read();
    now = 1000;

    expect([first, soon, await read()]).toEqual(['0', '0', '1']);
  });
});
