import { afterAll, expect } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inSixths } from '@comanda/testing/budget';
import { root } from '@comanda/local-stack/root';
import { run, type Finished } from '@comanda/local-stack/servers/command';

const {
  default: { workerGracefulExitTimeout },
} = (await import(join(root, 'jest.config.mjs'))) as { default: { workerGracefulExitTimeout: number } };
const config = {
  rootDir: root,
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: '<rootDir>/scripts/jest/environment.mjs',
  testRunner: '<rootDir>/scripts/jest/native-modules.mjs',
  testEnvironmentOptions: {
    blockedMs: 4_000,
    silentMs: 6_000,
    customExportConditions: ['source', 'node', 'node-addons'],
  },
  transform: { '\\.ts$': '<rootDir>/scripts/jest/strip-types.mjs' },
  workerIdleMemoryLimit: '2GB',
  maxWorkers: 2,
};
const folder = mkdtempSync(join(tmpdir(), 'hung-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs these fixtures with Jest, this environment and `settings`. */
function runFixtures(fixtures: string, env: NodeJS.ProcessEnv = {}, settings: object = {}): Promise<Finished> {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--conditions=source'];
  const testMatch = [`<rootDir>/scripts/jest/fixtures/${fixtures}`];
  return run({
    command: process.execPath,
    args: [...flags, jest, `--config=${JSON.stringify({ ...config, ...settings, testMatch })}`, '--verbose'],
    env: { ...process.env, ...env },
    timeoutMs: 50_000,
  });
}

inSixths.test('when tests hang, then each is ended and named, and the rest runs', async () => {
  const hungFile = join(folder, 'hung.txt');

  // One worker each: what a file leaves open after another one failed in the same worker is not reported.
  const { code, output } = await runFixtures('*.fixture.ts', { COMANDA_HUNG_FILE: hungFile }, { maxWorkers: 5 });

  expect(code).toBe(1);
  expect(output).toMatch(/● when its promise never settles, then it is named/);
  expect(output).toMatch(/handle\.fixture\.ts left open: 1 TCPServerWrap/);
  expect(output).toMatch(/PASS scripts\/jest\/fixtures\/good\.fixture\.ts/);
  expect(output).toMatch(/Test Suites: 4 failed, 1 passed, 5 total/);
  const hung = readFileSync(hungFile, 'utf8');
  expect(hung).toMatch(/HUNG: .*loop\.fixture\.ts › when it never returns, then it is named: blocked the event loop/);
  expect(hung).toMatch(/HUNG: .*import\.fixture\.ts › loading the file: did nothing/);
});

inSixths.test(
  'when tests compute one after the other, each for less than the limit, then none of them is ended',
  async () => {
    const { code, output } = await runFixtures('computes/*.fixture.ts');

    expect(output).toMatch(/Tests: +3 passed, 3 total/);
    expect(code).toBe(0);
  },
);

inSixths.test(
  'when a test fails, then the last 50 log lines of its services are printed with it, and no others',
  async () => {
    const { code, output } = await runFixtures('logs/*.fixture.ts');

    expect(code).toBe(1);
    expect(output).toMatch(/● when a test fails, then .*\n[^]*orders logged:\n\s+\{"level":"error"/);
    const printed = [...output.matchAll(/line (\d+) of a test that failed/g)].map(([, line]) => Number(line));
    expect(new Set(printed)).toEqual(new Set(Array.from({ length: 50 }, (_, index) => index + 11)));
    expect(output).not.toContain('below warn');
    expect(output).not.toContain('of a test that passed');
  },
);

inSixths.test('when one worker runs two files, then they share modules, and neither tests nor timers', async () => {
  const { code, output } = await runFixtures('modules/*.fixture.ts', {}, { maxWorkers: 1 });

  expect(output).toMatch(/Tests: +4 passed, 4 total/);
  const ids = [...output.matchAll(/loaded as (\S+)/g)].map(([, id]) => id);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  expect(code).toBe(0);
});

inSixths.test(
  'when a worker takes a second to end, as with much memory on a busy machine, then Jest waits for it',
  async () => {
    const { code, output } = await runFixtures('slow-end/*.fixture.ts', {}, { workerGracefulExitTimeout });

    expect(output).not.toContain('A worker process has failed to exit gracefully');
    expect(code).toBe(0);
  },
);
