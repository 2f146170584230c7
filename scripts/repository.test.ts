import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { root } from '@comanda/local-stack/root';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
type Package = {
  license?: string;
  version?: string;
  scripts?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
const packageAt = (path: string): Package => JSON.parse(read(path)) as Package;
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 10_000_000 });
const listed = (...patterns: string[]): string[] =>
  git('ls-files', '-z', ...patterns)
    .split('\0')
    .filter(Boolean);
const npmScripts = Object.keys(packageAt('package.json').scripts ?? {});
/** Returns the scripts in this repository that a text tells its reader to run. */
const mentioned = (text: string): string[] => [
  ...[...text.matchAll(/npm run (?:--silent |-s )?([\w:-]+)(?! --workspace)\b/g)].map(([, name = '']) => name),
  ...[...text.matchAll(/npm (start|test)\b/g)].map(([, name = '']) => name),
];

describe("in the project's documents", () => {
  const contributing = read('CONTRIBUTING.md');

  test('docs/commands.md lists all scripts in package.json', () => {
    const list = new Set(mentioned(read('docs/commands.md')));

    expect(npmScripts.filter((name) => !list.has(name))).toEqual([]);
  });

  test.each(listed('*.md').filter((path) => !path.endsWith('CHANGELOG.md')))(
    '%s mentions only existing scripts',
    (path) => {
      const workspaces = listed('*/package.json').flatMap((file) => Object.keys(packageAt(file).scripts ?? {}));

      const scripts = new Set([...npmScripts, ...workspaces]);
      expect(mentioned(read(path)).filter((name) => !scripts.has(name))).toEqual([]);
    },
  );

  test('CONTRIBUTING.md mentions only existing files and folders', () => {
    const paths = contributing.match(/\b(?:apps|services|packages|scripts|docs|test|bench)\/[\w./-]*[\w/]/g) ?? [];

    const written = new Set(['services/orders/test/your-endpoint.test.ts']);
    const missing = [...new Set(paths)].filter((path) => !written.has(path) && !existsHere(path));
    expect(missing).toEqual([]);
  });
});

const existsHere = (path: string): boolean => existsSync(join(root, path));

describe('in the repository', () => {
  test("every list of restricted imports in the linter's settings includes scripts", () => {
    const lists = read('.oxlintrc.json').split('"no-restricted-imports": [').slice(1);

    expect(lists.length).toBeGreaterThan(5);
    const refusesScripts = (list: string): boolean => /"regex": "\(\^\|\/\)scripts\/"|"group": \["\*",/.test(list);
    expect(lists.filter((list) => !refusesScripts(list))).toEqual([]);
  });

  test('every published or copied package states its licence', () => {
    const packages = listed('*package.json');

    expect(packages.length).toBeGreaterThan(10);
    expect(packages.filter((path) => packageAt(path).license !== 'Apache-2.0')).toEqual([]);
    expect(read('LICENSE')).toContain('Apache License');
  });

  test('the lockfile has a hash for every package on every system', () => {
    type Entry = { link?: boolean; integrity?: string };
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
    const without = Object.entries(packages).filter(
      ([path, { link, integrity }]) => path.includes('node_modules/') && !link && !integrity,
    );

    expect(without).toEqual([]);
  });

  test('.nvmrc has the same Node version as the lockfile', () => {
    const pinned = Object.values(packageAt('package.json').optionalDependencies ?? {});

    expect(new Set(pinned)).toEqual(new Set([read('.nvmrc').trim()]));
  });

  test('the workflow runs .ci/run for each push', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml')) as {
      jobs: Record<string, { if?: string; steps: { run?: string }[] }>;
    };
    const isForPush = ({ if: condition = '' }): boolean => !condition.startsWith("github.event_name == 'schedule'");
    const commands = Object.values(jobs)
      .filter(isForPush)
      .flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));

    expect(commands).toEqual(['.ci/run']);
    expect(read('.ci/run')).toMatch(/\nnpm run check\n(?:.*\n)*npm test\n$/);
  });

  test('a devcontainer installs the packages as npm start does', () => {
    const [, script = ''] = /"postCreateCommand": "npm (\w+)/.exec(read('.devcontainer/devcontainer.json')) ?? [];

    expect(packageAt('package.json').scripts?.[script]).toContain('scripts/bootstrap.mjs');
  });

  test.each(['gateway', 'orders', 'auth-stepup', 'transfers', 'notifier'])(
    'the changelog for %s has every release',
    (service) => {
      const files = listed(`releases/${service}/*.json`).map(
        (path) => JSON.parse(read(path)) as Record<string, string>,
      );
      const headings = read(`services/${service}/CHANGELOG.md`).match(/(?<=^## )\[\d.*/gm) ?? [];

      expect(headings.toSorted()).toEqual(
        files.map(({ version, released }) => `[${version}] - ${released}`).toSorted(),
      );
      expect(headings[0]).toMatch(new RegExp(`^\\[${packageAt(`services/${service}/package.json`).version}\\] - `));
    },
  );

  test.each(listed('releases/*.json'))('%s has not changed since its release', (path) => {
    const lastEdit = 'b2eb76fb1d'; // The files of 1.0.0 could still change until this commit.
    const isShallow = git('rev-parse', '--is-shallow-repository') === 'true\n';
    const later = (): string[] => git('rev-list', '--reverse', `${lastEdit}..`, '--', path).split('\n').filter(Boolean);

    const cut = (isShallow ? ['HEAD'] : [lastEdit, ...later()]).find((commit) => git('ls-tree', commit, path) !== '');
    const first = cut ? git('show', `${cut}:${path}`) : read(path);
    expect(JSON.parse(read(path))).toEqual(JSON.parse(first));
  });

  test('every tracked file is at most 250 KB, except for the lockfile and fonts', () => {
    const large = listed('*').filter((path) => existsHere(path) && statSync(join(root, path)).size > 250_000);

    expect(large.filter((path) => path !== 'package-lock.json' && !path.endsWith('.woff2'))).toEqual([]);
  });

  test('every hand-written source file has at most 320 lines, unless it is on the list of exceptions', () => {
    const sources = listed('*.ts', '*.tsx', '*.css', '*.js', '*.mjs');
    const long = sources.filter((path) => existsHere(path) && read(path).split('\n').length > 321);

    const byHand = long.filter((path) => path !== 'packages/client/src/calls/calls.ts');
    expect(byHand).toEqual(read('scripts/long-sources.txt').trimEnd().split('\n'));
  });

  test('the time limit of a single test or hook is longer than the default', () => {
    const [, ofAll = ''] = /testTimeout: ([\d_]+)/.exec(read('jest.config.mjs')) ?? [];
    const inMs = (written: string): number => Number(written.replaceAll('_', ''));
    const shorter = listed('*.test.ts').flatMap((path) =>
      [...read(path).matchAll(/^ *\},? ?\n? *(\d+_000),?\n? *\);$/gm)]
        .filter(([, written = '']) => inMs(written) <= inMs(ofAll))
        .map(([, written]) => `${path}: ${written}`),
    );

    expect(inMs(ofAll)).toBeGreaterThan(60_000);
    expect(shorter).toEqual([]);
  });

  const decisions = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d/.test(name));

  test('every decision has at most 200 words', () => {
    const words = (page: string): number => {
      const [, text = ''] = /^# .+\n([^]*)/.exec(read(`docs/decisions/${page}`)) ?? [];
      return text.split(/\s+/).filter((word) => /\w/.test(word)).length;
    };

    expect(decisions.length).toBeGreaterThan(30);
    expect(decisions.filter((page) => words(page) === 0 || words(page) > 200)).toEqual([]);
  });

  test('the index of decisions links to all of them', () => {
    const index = read('docs/decisions/README.md');
    expect(decisions.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });

  test('every folder that a newcomer opens first has a README', () => {
    const folders = ['apps', 'packages', 'services'].flatMap((parent) =>
      readdirSync(join(root, parent), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${parent}/${name}`),
    );
    const readmes = new Set(listed('*README.md'));

    expect([...folders, 'scripts', 'bench'].filter((folder) => !readmes.has(`${folder}/README.md`))).toEqual([]);
    const linked = read('README.md');
    expect([...folders, 'scripts', 'bench'].filter((folder) => !linked.includes(`](${folder}/README.md)`))).toEqual([]);
  });
});

describe('the folder structure', () => {
  /** Returns each pair of folders in a source folder that import each other, such as `feed stream`. */
  function foldersBothWays(source: string): string[] {
    const imports = listed(`${source}/*.ts*`).flatMap((path) => {
      const [from = ''] = path.slice(source.length + 1).split('/');
      return [...read(path).matchAll(/from '(?:\.\.\/)+([a-z-]+)\//g)].map(([, to = '']) => `${from} ${to}`);
    });
    const arrows = new Set(imports);
    return [...arrows].filter((arrow) => {
      const [from = '', to = ''] = arrow.split(' ');
      return from < to && arrows.has(`${to} ${from}`);
    });
  }
  const sources = ['services', 'apps', 'packages'].flatMap((parent) =>
    readdirSync(join(root, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${parent}/${name}/src`),
  );

  // In a service, folders may import each other, because the parts of a business belong together: an order has a bill, and a bill
  // has orders.
  const apart = sources.filter((source) => !source.startsWith('services/'));
  test.each(apart)('has no two folders that import each other in %s', (source) => {
    expect(listed(`${source}/*.ts*`).length).toBeGreaterThan(5);
    expect(foldersBothWays(source)).toEqual([]);
  });

  /** Returns the files that import themselves through other files, including imports of types. */
  function filesInCircles(source: string): string[] {
    const files = new Set(listed(`${source}/*.ts*`));
    const importsOf = new Map(
      [...files].map((path) => [
        path,
        [...read(path).matchAll(/from '(\.[^']+)'/g)]
          .map(([, specifier = '']) => posix.join(posix.dirname(path), specifier))
          .filter((imported) => files.has(imported)),
      ]),
    );
    const reached = (from: string): Set<string> => {
      const found = new Set(importsOf.get(from));
      for (const path of found) for (const next of importsOf.get(path) ?? []) found.add(next);
      return found;
    };
    return [...files].filter((path) => reached(path).has(path));
  }
  const withoutCircles = sources.filter((source) => !source.startsWith('apps/'));
  test.each(withoutCircles)('has no file that imports itself through others in %s', (source) => {
    expect(filesInCircles(source)).toEqual([]);
  });
});
