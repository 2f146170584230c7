import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../root.ts';
import { run } from '../servers/command.ts';
import type { Finished } from '../servers/command.ts';

const fixtures = 'scripts/jest/fixtures/second-run';
const folder = mkdtempSync(join(tmpdir(), 'run-jest-'));
afterAll(() => rmSync(folder, { recursive: true }));

const config = {
  rootDir: root,
  testMatch: [`<rootDir>/${fixtures}/*.fixture.ts`],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/scripts/jest/strip-types.mjs' },
};
const script = join(folder, 'run.mjs');
writeFileSync(
  script,
  `
  import { runJest } from ${JSON.stringify(join(root, 'scripts/jest/run-jest.ts'))};
  const [folder, ...args] = process.argv.slice(2);
  process.exitCode = await runJest({ args, env: process.env, folder, onSpawn: () => undefined });
`,
);
let runs = 0;

/** Runs these fixtures with `runJest` in a process of its own. */
function runFixtures(files: readonly string[], options: readonly string[] = []): Promise<Finished> {
  const runFolder = join(folder, String(++runs));
  mkdirSync(runFolder);
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const node = [...flags, script, runFolder];
  const jest = [
    `--config=${JSON.stringify(config)}`,
    ...options,
    ...files.map((file) => `${fixtures}/${file}.fixture.ts`),
  ];
  const env = { ...process.env, FIXTURE_MARKER: join(runFolder, 'ran-before') };
  return run({ command: process.execPath, args: [...node, ...jest], env, timeoutMs: 50_000 });
}
const lastLines = ({ output }: Finished, count: number): string[] => output.split('\n').slice(-count);

describe('a file that fails among others', () => {
  test('when it passes on its second run, then the summary names it and the exit code is 0', async () => {
    const finished = await runFixtures(['passes', 'fails-once']);

    expect(finished.code).toBe(0);
    expect(finished.output).toContain('First run: Tests: 1 passed, 1 failed, 1 skipped.');
    expect(lastLines(finished, 2)).toEqual([
      `Passed only on the second run: ${fixtures}/fails-once.fixture.ts`,
      'Tests: 2 passed, 0 failed, 1 skipped',
    ]);
  });

  test('when it fails again, then only the file that passed is named and the exit code is 1', async () => {
    const finished = await runFixtures(['passes', 'fails-once', 'fails']);

    expect(finished.code).toBe(1);
    expect(lastLines(finished, 2)).toEqual([
      `Passed only on the second run: ${fixtures}/fails-once.fixture.ts`,
      'Tests: 2 passed, 1 failed, 1 skipped',
    ]);
  });
});

test('when the only file of the run fails, then it does not run twice', async () => {
  const finished = await runFixtures(['fails']);

  expect(finished.code).toBe(1);
  expect(finished.output).not.toContain('First run');
  expect(finished.output.match(/● when something is wrong/g)).toHaveLength(1);
  expect(lastLines(finished, 1)).toEqual(['Tests: 0 passed, 1 failed']);
});

test('when Jest fails but no file does, then nothing runs twice', async () => {
  const noCoverage = '--coverageThreshold={"./missing.ts":{"lines":100}}';
  const threshold = ['--coverage', '--coverageReporters=none', '--coverageProvider=v8', noCoverage];

  const finished = await runFixtures(['passes'], threshold);

  expect(finished.code).toBe(1);
  expect(finished.output).not.toContain('First run');
  expect(lastLines(finished, 1)).toEqual(['Tests: 1 passed, 0 failed, 1 skipped']);
});

test.each(['--watch', '--watchAll', '--watch=true'])(
  'when it is given %s, then it refuses and starts nothing',
  async (flag) => {
    const finished = await runFixtures(['passes'], [flag]);

    expect(finished.code).toBe(1);
    expect(finished.output).toContain('npm test has no watch mode. Run npm test -- FILE again after a change');
    expect(finished.output).not.toContain('Tests:');
  },
);
