import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { run } from '@comanda/local-stack/servers/command';
import { until } from '@comanda/testing/until';
import { parse, stringify } from 'yaml';
import { findPromtool } from './find-promtool.ts';

/**
 * The metrics of all services at one moment, as a map from each series to its value. A service that didn't respond has no series.
 */
export type Scrape = ReadonlyMap<string, string>;

/** Matches the series that the rules use. A scrape has hundreds of others. */
const readByRules = /^(comanda_|http_request_duration_seconds_count|nodejs_eventloop_lag_p99_seconds)/;
const scrapeTimeoutMs = 2000;

/** Reads the services' metrics like Prometheus, with the service's name as the instance. */
export async function scrape(services: Record<string, { metricsUrl: string }>): Promise<Scrape> {
  const texts = await Promise.all(
    Object.entries(services).map(async ([instance, { metricsUrl }]) => {
      const signal = AbortSignal.timeout(scrapeTimeoutMs);
      const text = await fetch(`${metricsUrl}/metrics`, { signal }).then(
        (response) => response.text(),
        () => '',
      );
      return readSeries(text, instance);
    }),
  );
  return new Map(texts.flat());
}

/**
 * Like `scrape`, but retries until every service has responded, because a busy machine may respond late. Prometheus would scrape
 * for half an hour. Here, one scrape stands for all of these.
 */
export const scrapeAll = (services: Record<string, { metricsUrl: string }>): Promise<Scrape> =>
  until(
    async () => {
      const found = await scrape(services);
      const series = [...found.keys()];
      const answered = (instance: string): boolean => series.some((name) => name.endsWith(`,instance="${instance}"}`));
      return Object.keys(services).every(answered) ? found : null;
    },
    { what: 'metrics of every service', timeoutMs: 60_000 },
  );

const readSeries = (text: string, instance: string): [string, string][] =>
  text.split('\n').flatMap((line): [string, string][] => {
    const [, name = '', labels = '', value = ''] = /^([a-z_]\w*)\{(.*)\} (\S+)$/.exec(line) ?? [];
    return readByRules.test(name) && value !== 'Nan' ? [[`${name}{${labels},instance="${instance}"}`, value]] : [];
  });

type Rule = { alert?: string; record?: string; expr: string };

/** Returns the rules for these alerts and for the metrics that they use. With all rules, promtool takes nine times as long. */
function rulesFor(alerts: readonly string[]): { groups: { rules: Rule[] }[] } {
  const all = parse(readFileSync(join(root, 'deploy/monitoring/rules.yml'), 'utf8')) as { groups: { rules: Rule[] }[] };
  const ofAlerts = all.groups.flatMap(({ rules }) => rules.filter(({ alert = '' }) => alerts.includes(alert)));
  const isNeeded = (rule: Rule): boolean =>
    ofAlerts.includes(rule) || ofAlerts.some(({ expr }) => rule.record !== undefined && expr.includes(rule.record));
  return { groups: all.groups.map((group) => ({ ...group, rules: group.rules.filter(isNeeded) })) };
}

/**
 * The number of scrapes, at 15 s each, for which a scrape's values are repeated: 20 minutes for the first, 40 for the last, and
 * one for the others.
 */
const intervalS = 15;
const held = { first: 80, other: 4, last: 160 };

/**
 * Runs the rules from deploy/monitoring on real metrics in promtool, which simulates their waiting times. Returns a description
 * of every alert that isn't raised after its cause or is raised before it. Empty if there is none.
 */
export async function checkRaised(alerts: readonly string[], scrapes: readonly Scrape[]): Promise<string> {
  const promtool = await findPromtool();
  const names = [...new Set(scrapes.flatMap((each) => [...each.keys()]))];
  const samplesOf = (index: number): number =>
    index === 0 ? held.first : index === scrapes.length - 1 ? held.last : held.other;
  const values = (name: string): string =>
    scrapes.map((each, index) => `${each.get(name) ?? '_'}x${samplesOf(index) - 1}`).join(' ');
  const firing = (alert: string): string =>
    `count(count_over_time(ALERTS{alertname="${alert}",alertstate="firing"}[2h])) > bool 0`;
  const all = scrapes.reduce((sum, _each, index) => sum + samplesOf(index), 0);
  const test = {
    rule_files: ['rules.yml'],
    evaluation_interval: `${intervalS}s`,
    tests: [
      {
        interval: `${intervalS}s`,
        input_series: names.map((series) => ({ series, values: values(series) })),
        promql_expr_test: alerts.flatMap((alert) => [
          { expr: firing(alert), eval_time: `${(held.first - 1) * intervalS}s`, exp_samples: [] },
          { expr: firing(alert), eval_time: `${(all - 1) * intervalS}s`, exp_samples: [{ labels: '{}', value: 1 }] },
        ]),
      },
    ],
  };
  const folder = mkdtempSync(join(tmpdir(), 'raised-'));
  try {
    const file = join(folder, 'test.yml');
    writeFileSync(join(folder, 'rules.yml'), stringify(rulesFor(alerts)));
    writeFileSync(file, stringify(test));
    const { code, output } = await run({ command: promtool, args: ['test', 'rules', file] });
    return code === 0 ? '' : output;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
