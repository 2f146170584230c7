import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { run } from '@comanda/local-stack/servers/command';
import { until } from '@comanda/testing/until';
import { parse, stringify } from 'yaml';
import { findPromtool } from './find-promtool.ts';

/** The values of all services' metrics at one moment, keyed by series. If a service didn't respond, its series are missing. */
export type Scrape = ReadonlyMap<string, string>;

/** Matches the series that the alert rules use. A service has hundreds of others. */
const readByRules = /^(comanda_|http_request_duration_seconds_count|nodejs_eventloop_lag_p99_seconds)/;
const scrapeTimeoutMs = 2000;

/** Fetches the services' metrics as Prometheus does. The service's name is the label `instance`. */
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
 * many times in half an hour. In these tests, one scrape replaces all of them.
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

/**
 * Returns only the rules for these alerts, and the rules that compute the metrics they use. With all rules, promtool takes nine
 * times as long.
 */
function rulesFor(alerts: readonly string[]): { groups: { rules: Rule[] }[] } {
  const all = parse(readFileSync(join(root, 'deploy/monitoring/rules.yml'), 'utf8')) as { groups: { rules: Rule[] }[] };
  const ofAlerts = all.groups.flatMap(({ rules }) => rules.filter(({ alert = '' }) => alerts.includes(alert)));
  const isNeeded = (rule: Rule): boolean =>
    ofAlerts.includes(rule) || ofAlerts.some(({ expr }) => rule.record !== undefined && expr.includes(rule.record));
  return { groups: all.groups.map((group) => ({ ...group, rules: group.rules.filter(isNeeded) })) };
}

/**
 * The time between two scrapes, in seconds. `held` is the number of scrapes for which the same values are repeated: 20 minutes
 * for the first scrape, 40 minutes for the last, and one minute for each scrape in between.
 */
const intervalS = 15;
const held = { first: 80, other: 4, last: 160 };

/**
 * Evaluates the rules from deploy/monitoring on real metrics. promtool simulates the time for which the rules wait. The first
 * scrape is from before the problem. Returns a description of every alert that is raised too early or not at all; empty if all
 * alerts are correct.
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
