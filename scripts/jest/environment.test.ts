import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { run, type Finished } from '@comanda/local-stack/servers/command';

const config = {
  rootDir: root,
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: '<rootDir>/scripts/jest/environment.mjs',
  testRunner: '<rootDir>/scripts/jest/native-modules.mjs',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: { '\\.ts$': '<rootDir>/scripts/jest/strip-types.mjs' },
  workerIdleMemoryLimit: '2GB',
  maxWorkers: 1,
};

/** Runs these fixtures in a single Jest worker with this environment. */
function runFixtures(fixtures: string): Promise<Finished> {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--conditions=source'];
  const testMatch = [`<rootDir>/scripts/jest/fixtures/${fixtures}`];
  return run({
    command: process.execPath,
    args: [...flags, jest, `--config=${JSON.stringify({ ...config, testMatch })}`, '--verbose'],
    env: process.env,
    timeoutMs: 50_000,
  });
}

test('a failed test prints the last 50 log lines of its services', async () => {
  const { code, output } = await runFixtures('logs/*.fixture.ts');

  expect(code).toBe(1);
  expect(output).toMatch(/● a failing test prints log lines .*\n[^]*orders logged:\n\s+\{"level":"error"/);
  const printed = [...output.matchAll(/line (\d+) of a test that failed/g)].map(([, line]) => Number(line));
  expect(new Set(printed)).toEqual(new Set(Array.from({ length: 50 }, (_, index) => index + 11)));
  expect(output).not.toContain('below warn');
  expect(output).not.toContain('of a test that passed');
});

test('two files in one worker share modules but no timers', async () => {
  const { code, output } = await runFixtures('modules/*.fixture.ts');

  expect(output).toMatch(/Tests: +4 passed, 4 total/);
  const ids = [...output.matchAll(/loaded as (\S+)/g)].map(([, id]) => id);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  expect(code).toBe(0);
});
