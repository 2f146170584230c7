import { afterAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@comanda/testing/until';
import { root } from '../root.ts';
import { isRunning, type ProcessIdentity } from '../servers/process-identity.ts';
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
  process.exitCode = await runJest({
    args,
    env: process.env,
    folder,
    onSpawn: (jest) => console.log('started ' + JSON.stringify(jest)),
    teardownTimeLimitMs: 1_000,
  });
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
    expect(finished.output).not.toContain('HUNG');
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

test('when a file is named and nothing else, then it runs', async () => {
  const env = { ...process.env, COMANDA_TEST_DATA: folder };
  const node = ['--conditions=source', '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const args = [...node, script, folder, 'scripts/start/arguments.test.ts'];

  const finished = await run({ command: process.execPath, args, env, timeoutMs: 50_000 });

  expect(finished.output).toContain('PASS scripts scripts/start/arguments.test.ts');
  expect(finished.code).toBe(0);
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

describe('a global teardown that hangs', () => {
  const teardown = `--globalTeardown=${join(root, fixtures, 'hangs.mjs')}`;

  test.each([
    [['passes'], 'Tests: 1 passed, 0 failed, 1 skipped'],
    [['passes', 'fails'], 'Tests: 1 passed, 1 failed, 1 skipped'],
  ])('when %j ran, then Jest is ended and nothing but what failed runs again', async (files, summary) => {
    const finished = await runFixtures(files, [teardown]);

    expect(finished.code).toBe(1);
    expect(finished.output).toContain('HUNG: Jest still runs 1 s after the last test');
    expect(lastLines(finished, 1)).toEqual([summary]);
    expect(finished.output.match(/^(?:PASS|FAIL) .*fixture\.ts/gm)).toHaveLength(files.length === 1 ? 1 : 3);
    const started = [...finished.output.matchAll(/^started (.*)$/gm)].map(([, text]) => JSON.parse(String(text)));
    expect(started).toHaveLength(files.length);
    expect((started as ProcessIdentity[]).filter(isRunning)).toEqual([]);
  });
});

const node = [process.execPath, ...process.execArgv.filter((flag) => flag !== '--'), join(root, 'scripts/test.ts')];

test('when the files are listed, then standard output has them, and the exit code is 0', async () => {
  const [command = '', ...flags] = node;
  const args = ['--listTests', 'scripts/start/arguments.test.ts'];
  const listed = await run({ command, args: [...flags, ...args], timeoutMs: 30_000 });

  expect(listed.output.trim()).toBe(join(root, 'scripts/start/arguments.test.ts'));
  expect(listed.code).toBe(0);
});

describe('watch mode', () => {
  const args = ['--watch', 'scripts/start/arguments.test.ts'];

  test('when there is no terminal, then it is refused in one line before anything starts', async () => {
    const [command = '', ...flags] = node;
    const finished = await run({ command, args: [...flags, ...args], timeoutMs: 30_000 });

    expect(finished.code).toBe(1);
    expect(finished.output).toMatch(/^--watch needs a terminal.*$/);
  });

  /** script(1) runs a command in a terminal of its own. */
  const inTerminal = (words: readonly string[]): string[] =>
    process.platform === 'linux'
      ? ['--quiet', '--return', '--command', words.map((word) => `'${word}'`).join(' '), '/dev/null']
      : ['-q', '/dev/null', ...words];

  test('when there is a terminal, then its keys run the file again and end it', async () => {
    // Jest shows its keys neither in a CI nor in a dumb terminal.
    const env = { ...process.env, CI: 'false', TERM: 'xterm' };
    const terminal = spawn('script', inTerminal([...node, ...args]), { cwd: root, env });
    let output = '';
    terminal.stdout.on('data', (text) => (output += String(text)));
    const ended = once(terminal, 'exit');
    const runsAre = (count: number): Promise<unknown> =>
      until(() => output.split('Watch Usage').length > count, {
        what: `the end of run ${count}`,
        timeoutMs: 90_000, // the first starts servers, beside other tests
      }).catch((error: unknown) => {
        throw new Error(output, { cause: error });
      });

    try {
      await runsAre(1);
      terminal.stdin.write('\r');
      await runsAre(2);
      terminal.stdin.write('q');

      expect(await ended).toEqual([0, null]);
    } finally {
      terminal.kill('SIGKILL'); // if it still runs; its terminal ends what runs in it
    }
  }, 200_000);
});
