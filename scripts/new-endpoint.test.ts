import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const copy = mkdtempSync(join(tmpdir(), 'new-endpoint-'));
type Ran = { status: number; stdout: string; stderr: string };
// The compiler is a Go program that spends a quarter of its CPU time on garbage collection.
const options = { cwd: copy, env: { ...process.env, GOGC: '300' } };
const run = (file: string, ...args: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['--conditions=source', file, ...args], options, (error, stdout, stderr) => {
      resolve({ status: Number(error?.code ?? 0), stdout, stderr });
    });
  });

/** Links the installed packages, but the copy's packages in place of this repository's. */
function linkPackages(folder: string): void {
  const [from, to] = [join(root, folder, 'node_modules'), join(copy, folder, 'node_modules')];
  if (!existsSync(from)) return;
  mkdirSync(to);
  for (const name of readdirSync(from).filter((each) => !each.startsWith('.')))
    if (name === '@comanda') cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(from, name), join(to, name));
}

beforeAll(() => {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const path of listed
    .toString()
    .split('\0')
    .filter((each) => each && existsSync(join(root, each)))) {
    mkdirSync(join(copy, dirname(path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
  }
  for (const folder of ['.', ...readdirSync(join(root, 'services')).map((name) => `services/${name}`), 'bench'])
    linkPackages(folder);
});
afterAll(() => rmSync(copy, { recursive: true }));

const wanted = [
  ['orders', 'orders', 'list-late-orders', 'GET', '/orders/late', 'staff'],
  ['orders', 'restaurant', 'list-holidays', 'GET', '/ordering/holidays', 'everyone'],
  ['auth-stepup', 'security-log', 'clear-notices', 'POST', '/security/notices', 'signed in'],
  ['transfers', 'accounts', 'close-account', 'DELETE', '/accounts/{id}', 'account'],
];
const optionsOf = ([service, folder, name, method, path, who]: readonly string[]): string[] =>
  Object.entries({ service, folder, name, method, path, who }).map(([option, value]) => `--${option}=${value}`);

describe('npm run new:endpoint', () => {
  test('adds an endpoint, and the repository still compiles and is formatted', async () => {
    for (const each of wanted)
      expect(await run('scripts/new-endpoint.ts', ...optionsOf(each))).toMatchObject({ status: 0, stderr: '' });

    const lines = readFileSync(join(copy, 'services/gateway/test/support/expected-access.ts'), 'utf8');
    for (const [, , , method, path, who] of wanted) expect(lines).toContain(`'${method} ${path}': '${who}',`);
    expect(await run('node_modules/typescript/bin/tsc', '--singleThreaded')).toMatchObject({ status: 0, stdout: '' });
    const check = ['--check', 'packages', 'services', 'test', 'docs'];
    expect(await run('node_modules/oxfmt/bin/oxfmt', ...check)).toMatchObject({ status: 0 });
  }, 240_000);

  test.each([
    [{ 2: 'late' }, "--name should be what it does, verb first: list-waiting-orders, instead got 'late'."],
    [
      { 1: 'tables' },
      'services/orders/src/tables has no routes. These have: calls, exceptions, menu, orders, pictures, restaurant',
    ],
    [{ 4: '/menu' }, 'GET /menu exists.'],
    [{ 3: 'PUT', 4: '/orders/{item_id}' }, 'PUT /orders/{id} exists.'],
    [{ 2: 'end-seating' }, 'There is an endpoint with the name endSeating.'],
    [{ 2: 'archive-orders' }, 'services/orders/src/orders/archive-orders.ts exists: choose another --name.'],
    [{ 2: 'racing-payers' }, 'services/orders/test/racing-payers.test.ts exists: choose another --name.'],
    [{ 4: '/orders/of/{table}' }, 'No path of orders has the parameters {table}.'],
  ])('writes nothing and says what is wrong when it gets %j', async (change, why) => {
    const other = ['orders', 'orders', 'list-guests', 'GET', '/orders/guests', 'staff'];
    const { status, stderr } = await run('scripts/new-endpoint.ts', ...optionsOf(Object.assign(other, change)));

    expect(status).toBe(1);
    expect(stderr).toContain(why);
  });
});
