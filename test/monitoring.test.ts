import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '@comanda/contracts/registry';
import { root } from '@comanda/local-stack/root';
import { run } from '@comanda/local-stack/servers/command';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { startStackHere, type Stack } from '@comanda/testing/stack';
import { parse, stringify } from 'yaml';
import { findPromtool, hasPromtool } from './monitoring/find-promtool.ts';

type Rule = {
  record?: string;
  alert?: string;
  expr: string;
  labels?: { severity: string };
  annotations?: { summary: string; runbook: string };
};
type Panel = {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
};
type AlertTest = { alert_rule_test?: { alertname: string; exp_alerts?: unknown[] }[] };

const folder = join(root, 'deploy/monitoring');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const { groups } = parse(read('rules.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const { panels } = JSON.parse(read('dashboard.json')) as { panels: Panel[] };
const expressions = [
  ...rules.map((rule) => [rule.alert ?? rule.record ?? '', rule.expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** The words in expressions that are PromQL keywords or functions, not metrics. */
const words = new Set('absent and count histogram_quantile increase max min or rate sum topk unless by'.split(' '));
/** Returns the names of the metrics in an expression. */
const metricsIn = (expression: string): string[] => {
  const bare = expression
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\bby\s*\([^)]*\)/g, '');
  return [...bare.matchAll(/[A-Za-z_:][\w:]*/g)].map(([name]) => name).filter((name) => !words.has(name));
};

describe('in the rules and on the dashboard', () => {
  const exported = new Map<string, Set<string>>();
  let ofGateway = '';
  let stack: Stack | undefined;
  beforeAll(async () => {
    stack = await startStackHere('monitoring', {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', // Enables the exporter's metrics. Nothing listens at this address.
    });
    for (const name of serviceNames) {
      const { metricsUrl } = stack.services[name];
      const text = await (await fetch(`${metricsUrl}/metrics`)).text();
      if (name === 'gateway') ofGateway = text;
      const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, metric = '', type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => `${metric}${suffix}`) : [metric],
      );
      exported.set(name, new Set(names));
    }
  });
  afterAll(() => stack?.close());
  const isExported = (metric: string): boolean => [...exported.values()].some((names) => names.has(metric));

  test('every metric in an expression exists', () => {
    const unknown = expressions.flatMap(([where, expression]) =>
      metricsIn(expression)
        .filter((metric) => !isExported(metric) && !recorded.has(metric))
        .map((metric) => `${where}: ${metric}`),
    );

    expect(expressions.length).toBeGreaterThan(50);
    expect(unknown).toEqual([]);
  });

  test("an expression about one service uses only that service's metrics", () => {
    const wrong = expressions.flatMap(([where, expression]) =>
      [...expression.matchAll(/([\w:]+)\{[^}]*service="([a-z-]+)"/g)].flatMap(([, metric = '', service = '']) =>
        exported.get(service)?.has(metric) ? [] : [`${where}: ${metric} of ${service}`],
      ),
    );

    expect(wrong).toEqual([]);
  });

  test("the first failure after the gateway's start counts as an increase", () => {
    const [, pattern = ''] =
      /route=~"([^"]*)"/.exec(rules.find(({ record }) => record === 'comanda:transfers_failed:ratio5m')?.expr ?? '') ??
      [];
    const wanted = pattern
      .split('|')
      .flatMap((route) => [201, 502, 503, 504].map((status) => `route="${route}",status="${status}"} 0`));

    expect(wanted).toHaveLength(12);
    expect(wanted.filter((each) => !ofGateway.includes(`_count{service="gateway",${each}`))).toEqual([]);
  });

  test('the dashboard shows every metric that only one service has', () => {
    const shown = new Set(panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))));
    const own = [...exported.values()]
      .flatMap((names) => [...names])
      .filter((name) => name.startsWith('comanda_') && !/_(sum|count|bucket)$/.test(name));

    expect([...new Set(own)].filter((name) => !shown.has(name))).toEqual([]);
  });
});

test('every route that an expression selects is in the contracts', () => {
  const patterns = expressions.flatMap(([, expression]) =>
    [...expression.matchAll(/route=~"([^"]*)"/g)].map(([, pattern = '']) => pattern),
  );
  const routes = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));

  expect(patterns.length).toBeGreaterThan(2);
  const selected = new Set(patterns.flatMap((pattern) => pattern.split('|')));
  expect([...selected].filter((route) => !routes.has(route))).toEqual([]);
});

describe('in the alerts', () => {
  test('every alert has an urgency and a link to its page', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(['page', 'ticket']).toContain(labels?.severity);
      expect(annotations?.runbook).toBe(`docs/run/alerts.md#${alert?.toLowerCase()}`);
      expect(annotations?.summary).toMatch(/^\S.*[^.]$/);
    }
  });

  test('every alert is raised in a test of its rule', () => {
    const { tests } = parse(read('rules_test.yml')) as { tests: AlertTest[] };
    const outcomes = tests.flatMap(({ alert_rule_test: each = [] }) => each);
    const raised = new Set(outcomes.flatMap(({ alertname, exp_alerts: expected }) => (expected ? alertname : [])));

    expect(alerts.map(({ alert }) => alert).filter((name) => !raised.has(name ?? ''))).toEqual([]);
  });

  test("every alert's problem is caused in a test", () => {
    const files = readdirSync(join(root, 'test')).filter((name) => /^alerts.*\.test\.ts$/.test(name));
    const caused = files.map((name) => readFileSync(join(root, 'test', name), 'utf8')).join('');

    expect(alerts.map(({ alert }) => alert).filter((name) => !caused.includes(`'${name}'`))).toEqual([]);
  });
});

const describeWithPromtool = hasPromtool ? describe : describe.skip;
describeWithPromtool('according to promtool', () => {
  test('each alert is raised at the right time', async () => {
    const promtool = await findPromtool();
    const [checked, tested] = await Promise.all([
      run({ command: promtool, args: ['check', 'rules', join(folder, 'rules.yml')] }),
      run({ command: promtool, args: ['test', 'rules', join(folder, 'rules_test.yml')] }),
    ]);

    expect(checked).toMatchObject({ code: 0, output: expect.stringContaining(`${rules.length} rules found`) });
    expect(tested).toEqual({ code: 0, output: expect.stringContaining('SUCCESS') });
  });

  test('every expression on the dashboard is valid', async () => {
    const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const asRules = shown.map((expr, index) => ({ record: `shown:${index}`, expr }));
    const dir = mkdtempSync(join(tmpdir(), 'dashboard-'));
    const file = join(dir, 'rules.yml');
    writeFileSync(file, stringify({ groups: [{ name: 'shown', rules: asRules }] }));
    const checked = await run({ command: await findPromtool(), args: ['check', 'rules', file] });
    rmSync(dir, { recursive: true });

    expect(checked).toMatchObject({ code: 0, output: expect.stringContaining(`${shown.length} rules found`) });
  });
});

describe('the dashboard', () => {
  test('has no overlapping panels', () => {
    const shown = panels.map(({ id, gridPos: { x, y, w, h } }) => ({ id, x, y, right: x + w, bottom: y + h }));
    const overlaps = shown.flatMap((a, index) =>
      shown
        .slice(index + 1)
        .filter((b) => a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom)
        .map((b) => `${a.id} ${b.id}`),
    );

    expect(overlaps).toEqual([]);
    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
    expect(shown.every(({ right }) => right <= 24)).toBe(true);
  });

  test('names only existing alerts', () => {
    const named = read('dashboard.json').match(/Alerts?: [^"]*\./g) ?? [];
    const names = named.flatMap((text) => text.match(/\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/g) ?? []);

    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !alerts.some(({ alert }) => alert === name))).toEqual([]);
  });
});
