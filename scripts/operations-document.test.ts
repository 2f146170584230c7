import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { endpoints } from '@comanda/contracts/registry';
import { root } from '@comanda/local-stack/root';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { parse } from 'yaml';
import { knownSettings } from './chart/known-settings.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/operations.md');
const [, alertsSection = ''] = page.split('\n## Alerts\n');
const sections = alertsSection.split('\n### ').slice(1);
type Rules = { groups: { rules: { alert?: string; labels?: { severity: string } }[] }[] };
const { groups } = parse(read('deploy/monitoring/rules.yml')) as Rules;
const alerts = groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert !== undefined);

describe('the page of operations', () => {
  test('when there is an alert, then it has a heading, in the order of the rules, and no other has one', () => {
    expect(sections.map((section) => section.split('\n')[0])).toEqual(alerts.map(({ alert }) => alert));
  });

  test('when an alert is described, then first how urgent it is, as its rule says', () => {
    const urgent = sections.map((section) => /^\w+\n\n\*\*(Page|Ticket)\.\*\* \S/.exec(section)?.[1]?.toLowerCase());

    expect(urgent).toEqual(alerts.map(({ labels }) => labels?.severity));
  });

  test('when it quotes a line of a log, then a service writes it', () => {
    const options = { cwd: root, encoding: 'utf8' } as const;
    const files = execFileSync('git', ['ls-files', 'services/*/src/*.ts', 'packages/shared/src/*.ts'], options);
    const sources = files.split('\n').filter(Boolean).map(read).join('\n');
    // Lines of logs are sentences; names, paths and commands are not.
    const quoted = [...alertsSection.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
    const sentences = quoted.filter(
      (text) => /^[A-Za-z]+( [\w;,]+){2,}/.test(text) && !/^(kubectl|helm|run|GET|POST) /.test(text),
    );

    expect(sentences.length).toBeGreaterThan(10);
    expect(sentences.filter((sentence) => !sources.includes(`'${sentence}'`))).toEqual([]);
  });

  test('when it runs a program of an image, then the service has it', () => {
    const ran = [...page.matchAll(/(?:deployment\/|run )([a-z-]+) (?:-- node |'node,)dist\/([a-z-]+)\.js/g)];

    expect(ran.length).toBeGreaterThan(6);
    const missing = ran.filter(
      ([, service = '', name]) => !existsSync(join(root, `services/${service}/src/${name}.ts`)),
    );
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  test('when it names a call, a setting or a value of a chart, then there is one', async () => {
    const ofServices = Object.values(await knownSettings());
    const known = new Set(
      ofServices.flatMap(({ settings, secrets, optionalSecrets }) => [...settings, ...secrets, ...optionalSecrets]),
    );
    const calls = endpoints.map(
      ({ method, path }) => new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    );
    const named = [...page.matchAll(/`((?:GET|PUT|POST) \/[^`]*)`/g)].map(([, call = '']) => call);
    const namedSettings = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, setting = '']) => setting);
    const values = [...page.matchAll(/--set "?([a-zA-Z]+)/g)].map(([, value = '']) => value);
    const defaults = read('deploy/helm/lib/values.yaml');

    expect([named.length, namedSettings.length, values.length].every((count) => count > 3)).toBe(true);
    expect(named.filter((call) => !calls.some((path) => path.test(call)))).toEqual([]);
    expect(namedSettings.filter((setting) => !known.has(setting))).toEqual([]);
    expect(values.filter((value) => !new RegExp(`^ {4}${value}:`, 'm').test(defaults))).toEqual([]);
  });

  test('when it names releases, then all services have one, auth-stepup the first and the gateway the last', () => {
    const [, listed = ''] = /for service in ([a-z -]+); do\n {2}helm/.exec(page) ?? [];
    const order = listed.split(' ');

    expect(order.toSorted()).toEqual(serviceNames.toSorted());
    expect([order[0], order.at(-1)]).toEqual(['auth-stepup', 'gateway']);
  });
});

describe('a proxy in front of the gateway', () => {
  test.each([
    ['docs/deployment.md', /client_max_body_size (\d+)m;/],
    ['deploy/README.md', /proxy-body-size: (\d+)m/],
    ['deploy/environment.example.yaml', /proxy-body-size: (\d+)m/],
  ])('when it is set up as %s says, then it lets the largest upload through', (path, setting) => {
    const largest = Math.max(...endpoints.map(({ upload }) => upload?.maxMegabytes ?? 0));

    expect(Number(setting.exec(read(path))?.[1])).toBeGreaterThan(largest);
  });
});
