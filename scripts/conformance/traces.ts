import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { comandaDir } from '@comanda/local-stack/root';
import { startProcess } from '@comanda/local-stack/servers/server-process';
import { openFeedClient } from '@comanda/testing/feed-client';
import { until } from '@comanda/testing/until';
import { emptyFolder, runInSequence, type Check, type Result } from './run.ts';
import { tokenOf } from './stack.ts';

export const collectorVersion = 'v0.165.0';
const program = join(comandaDir, 'conformance', `collector-${collectorVersion}`, 'collector');

type Span = { service: string; trace: string; id: string; parent: string; name: string };
/** What a service must have in the tree of an order. */
const expected = [
  'gateway POST /orders',
  'orders POST /orders',
  'orders publish order.created',
  'notifier push order.created',
];

/**
 * A collector of OpenTelemetry at `url` takes the spans of one order, which the services of the stack send there: they must be
 * one tree, and the collector must not complain.
 */
export const traces =
  (collectorUrl: string): Check =>
  async (url) => {
    const built = await buildCollector();
    if (!built.passed) return built;
    const folder = emptyFolder('traces');
    const [config, logFile] = [join(folder, 'config.yaml'), join(folder, 'log')];
    writeFileSync(config, JSON.stringify(configOf(new URL(collectorUrl).host)));
    const reaper = await startReaper();
    const feed = openFeedClient(url, { token: await tokenOf(url, 'manager') });
    try {
      const command = { name: 'the collector', command: program, args: ['--config', config], env: {}, cwd: folder };
      await startProcess({ ...command, logFile, onSpawn: (spawned) => reaper.track({ ...spawned, stop: 'kill' }) });
      const output = (): string => readFileSync(logFile, 'utf8');
      await until(() => output().includes('Everything is ready'), { what: 'the collector', timeoutMs: 20_000 });
      await feed.untilStatus('live');
      const traceOf = async (): Promise<Span[] | null> => {
        const all = readSpans(output());
        const pushed = all.findLast(({ name }) => name === 'push order.created');
        return pushed ? all.filter(({ trace }) => trace === pushed.trace) : null;
      };
      await order(url, await tokenOf(url, 'customer'));
      await until(traceOf, { what: 'the span of the screen', timeoutMs: 20_000 });
      const complete = async (): Promise<boolean> => {
        const names = new Set((await traceOf())?.map(({ service, name }) => `${service} ${name}`));
        return expected.every((name) => names.has(name));
      };
      await until(complete, { what: `the spans ${expected.join(', ')}`, timeoutMs: 20_000 });
      return judge((await traceOf()) ?? [], output());
    } finally {
      feed.close();
      await reaper.finish();
    }
  };

function judge(spans: readonly Span[], output: string): Result {
  const ids = new Set(spans.map(({ id }) => id));
  const roots = spans.filter(({ parent }) => !ids.has(parent));
  const complaints = output.split('\n').filter((line) => /\t(warn|error)\t/i.test(line));
  const tree = spans.map(({ service, name }) => `${service} ${name}`).join(', ');
  return { passed: roots.length === 1 && complaints.length === 0, report: [tree, ...complaints].join('\n') };
}

/** Two minutes, once. */
async function buildCollector(): Promise<Result> {
  if (existsSync(program)) return { passed: true, report: '' };
  const config = join(emptyFolder('collector'), 'builder.yaml');
  const module = (path: string) => [{ gomod: `go.opentelemetry.io/collector/${path} ${collectorVersion}` }];
  const dist = { name: 'collector', output_path: join(program, '..'), version: collectorVersion };
  const parts = { receivers: module('receiver/otlpreceiver'), exporters: module('exporter/debugexporter') };
  writeFileSync(config, JSON.stringify({ dist, ...parts }));
  const builder = `go.opentelemetry.io/collector/cmd/builder@${collectorVersion}`;
  return runInSequence([['go', 'run', builder, '--config', config]]);
}

const configOf = (endpoint: string) => ({
  receivers: { otlp: { protocols: { http: { endpoint } } } },
  exporters: { debug: { verbosity: 'detailed' } },
  service: {
    telemetry: { metrics: { level: 'none' } },
    pipelines: { traces: { receivers: ['otlp'], exporters: ['debug'] } },
  },
});

/** The spans in what the exporter `debug` prints. */
function readSpans(output: string): Span[] {
  return output.split('ResourceSpans #').flatMap((ofService) => {
    const [, service = ''] = /service\.name: Str\((.*?)\)/.exec(ofService) ?? [];
    return ofService
      .split(/^Span #\d+$/m)
      .slice(1)
      .map((text) => {
        const field = (name: string): string => new RegExp(`^ +${name} +: (.*)$`, 'm').exec(text)?.[1] ?? '';
        return { service, trace: field('Trace ID'), id: field('ID'), parent: field('Parent ID'), name: field('Name') };
      });
  });
}

async function order(url: string, token: string): Promise<void> {
  const answer = await fetch(`${url}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ items: [{ name: 'Feijoada', quantity: 1 }] }),
  });
  if (answer.status !== 201) throw new Error(`the order is answered with ${answer.status}: ${await answer.text()}`);
}
