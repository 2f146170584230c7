import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { endpoints } from '@comanda/contracts/registry';
import { root } from '@comanda/local-stack/root';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { parse } from 'yaml';
import { knownSettings } from './chart/known-settings.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** All pages for operators, joined into one text. */
const page = readdirSync(join(root, 'docs/run'))
  .map((name) => read(`docs/run/${name}`))
  .join('\n');
const alertsPage = read('docs/run/alerts.md');
/** Variables that no service uses, such as those for `npm start` and Node, and a placeholder. */
const notOfServices = new Set(['COMANDA_DIR', 'NODE_EXTRA_CA_CERTS', 'NAME_FILE']);
const sections = alertsPage.split('\n## ').slice(1);
type Rules = { groups: { rules: { alert?: string; labels?: { severity: string } }[] }[] };
const { groups } = parse(read('deploy/monitoring/rules.yml')) as Rules;
const alerts = groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert !== undefined);

describe('the pages for operators', () => {
  test('have a heading for each alert, in the order of the rules', () => {
    expect(sections.map((section) => section.split('\n')[0])).toEqual(alerts.map(({ alert }) => alert));
  });

  test('start each alert with the urgency from its rule', () => {
    const urgent = sections.map((section) => /^\w+\n\n\*\*(Page|Ticket)\.\*\* \S/.exec(section)?.[1]?.toLowerCase());

    expect(urgent).toEqual(alerts.map(({ labels }) => labels?.severity));
  });

  test('quote only log lines that exist', () => {
    const options = { cwd: root, encoding: 'utf8' } as const;
    const files = execFileSync('git', ['ls-files', 'services/*/src/*.ts', 'packages/shared/src/*.ts'], options);
    const sources = files.split('\n').filter(Boolean).map(read).join('\n');
    // Log lines are sentences, unlike names, paths and commands.
    const quoted = [...alertsPage.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
    const sentences = quoted.filter(
      (text) => /^[A-Za-z]+( [\w;,]+){2,}/.test(text) && !/^(kubectl|helm|run|GET|POST) /.test(text),
    );

    expect(sentences.length).toBeGreaterThan(10);
    expect(sentences.filter((sentence) => !sources.includes(`'${sentence}'`))).toEqual([]);
  });

  test('quote only panels from the dashboard', () => {
    const dashboard = read('deploy/monitoring/dashboard.json');
    const quoted = [...alertsPage.matchAll(/"([A-Z][^"\n]+)"/g)].map(([, title = '']) => title);

    expect(quoted.length).toBeGreaterThan(5);
    expect(quoted.filter((title) => !dashboard.includes(`"title": "${title}`))).toEqual([]);
  });

  test("use only programs that are in the service's image", () => {
    const ran = [...page.matchAll(/(?:deployment\/|run )([a-z-]+) (?:-- node |node |'node,)dist\/([a-z-]+)\.js/g)];

    expect(ran.length).toBeGreaterThan(6);
    const missing = ran.filter(
      ([, service = '', name]) => !existsSync(join(root, `services/${service}/src/${name}.ts`)),
    );
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  test("run a service's commands with Docker Compose without starting other services", () => {
    const commands = page.replaceAll('\\\n', '').match(/docker compose [^\n`]* run [^\n`]*/g) ?? [];

    expect(commands.length).toBeGreaterThan(4);
    expect(commands.filter((command) => !command.includes(' --no-deps '))).toEqual([]);
  });

  test('repeat the number of containers, because Docker Compose otherwise starts only one', () => {
    const commands = `${page}\n${read('deploy/compose-update')}`.match(/ up --detach --wait --no-deps [^\n`]*/g) ?? [];

    expect(commands.length).toBeGreaterThan(4);
    expect(commands.filter((command) => !command.includes(' --scale '))).toEqual([]);
  });

  test('name only calls, settings and chart values that exist', async () => {
    const ofServices = Object.values(await knownSettings());
    const known = new Set(
      ofServices.flatMap(({ settings, secrets, optionalSecrets }) => [...settings, ...secrets, ...optionalSecrets]),
    );
    const calls = endpoints.map(
      ({ method, path }) => new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    );
    const named = [...page.matchAll(/`((?:GET|PUT|POST) \/[^`]*)`/g)].map(([, call = '']) => call);
    const inFiles = ['.env.example', 'docker-compose.yml', 'docker-compose.production.yml'].map(read).join('\n');
    const namedSettings = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, setting = '']) => setting);
    const values = [...page.matchAll(/--set "?([a-zA-Z]+)/g)].map(([, value = '']) => value);
    const defaults = read('deploy/helm/lib/values.yaml');

    expect([named.length, namedSettings.length, values.length].every((count) => count > 3)).toBe(true);
    expect(named.filter((call) => !calls.some((path) => path.test(call)))).toEqual([]);
    expect(
      namedSettings.filter(
        (setting) =>
          !known.has(setting.replace(/_FILE$/, '')) && !inFiles.includes(setting) && !notOfServices.has(setting),
      ),
    ).toEqual([]);
    expect(values.filter((value) => !new RegExp(`^ {4}${value}:`, 'm').test(defaults))).toEqual([]);
  });

  test('install auth-stepup first and the gateway last', () => {
    const [, listed = ''] = /for service in ([a-z -]+); do\n {2}helm/.exec(page) ?? [];
    const order = listed.split(' ');

    expect(order.toSorted()).toEqual(serviceNames.toSorted());
    expect([order[0], order.at(-1)]).toEqual(['auth-stepup', 'gateway']);
  });
});

describe('a proxy in front of the gateway', () => {
  test.each([
    ['docs/run/tls-and-proxy.md', /client_max_body_size (\d+)m;/],
    ['deploy/README.md', /proxy-body-size: (\d+)m/],
    ['deploy/environment.example.yaml', /proxy-body-size: (\d+)m/],
  ])('accepts the largest upload if it is set up as in %s', (path, setting) => {
    const largest = Math.max(...endpoints.map(({ upload }) => upload?.maxMegabytes ?? 0));

    expect(Number(setting.exec(read(path))?.[1])).toBeGreaterThan(largest);
  });
});
