import { afterAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@comanda/testing/until';
import { root } from '@comanda/local-stack/root';
import { run, type Finished } from '@comanda/local-stack/servers/command';

const fixtures = 'scripts/jest/fixtures/summary';
const folder = mkdtempSync(join(tmpdir(), 'run-jest-'));
afterAll(() => rmSync(folder, { recursive: true }));

const config = {
  rootDir: root,
  testMatch: [`<rootDir>/${fixtures}/*.fixture.ts`],
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: '<rootDir>/scripts/jest/environment.mjs',
  transform: { '\\.ts$': '<rootDir>/scripts/jest/strip-types.mjs' },
  showSeed: true,
  workerIdleMemoryLimit: '2GB',
};
const script = join(folder, 'run.mjs');
writeFileSync(
  script,
  `
  import { runJest } from ${JSON.stringify(join(root, 'scripts/jest/run-jest.ts'))};
  const [folder, option, ...files] = process.argv.slice(2);
  const options = option === '' ? [] : [option];
  process.exitCode = await runJest({ options, files, env: process.env, folder, onSpawn: () => undefined });
`,
);
let runs = 0;

/** Runs these fixtures with `runJest` in a separate process, and returns its exit code and output. */
function runFixtures(...files: readonly string[]): Promise<Finished> {
  const marks = join(folder, String(++runs));
  mkdirSync(marks);
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', script, marks];
  const jest = [`--config=${JSON.stringify(config)}`, ...files.map((file) => `${fixtures}/${file}.fixture.ts`)];
  const env = { ...process.env, COMANDA_FIXTURE_MARKS: marks };
  return run({ command: process.execPath, args: [...node, ...jest], env, timeoutMs: 50_000 });
}
const lastLines = ({ output }: Finished, count: number): string[] => output.trimEnd().split('\n').slice(-count);

test('a file that fails runs again alone, and the run passes if the file then passes', async () => {
  const finished = await runFixtures('passes', 'fails-once', 'dies-once');

  expect(finished.code).toBe(0);
  const [died, failed, summary] = lastLines(finished, 3);
  expect(died).toMatch(`flaky: ${fixtures}/dies-once.fixture.ts, first failure: A jest worker process`);
  expect(failed).toBe(
    `flaky: ${fixtures}/fails-once.fixture.ts, first failure: passes after it has failed once: ` +
      'Error: expect(received).toBe(expected) // Object.is equality',
  );
  expect(summary).toBe('Tests: 3 passed, 0 failed, 1 skipped');
  expect(finished.output).not.toContain('FAILED:');
  expect(finished.output.match(/^PASS .*passes\.fixture\.ts/gm)).toHaveLength(1);
});

test('a file that fails again when run alone makes the whole run fail', async () => {
  const finished = await runFixtures('passes', 'fails', 'fails-once');

  expect(finished.code).toBe(1);
  const [flaky, summary] = lastLines(finished, 2);
  expect(flaky).toMatch(`flaky: ${fixtures}/fails-once.fixture.ts`);
  expect(summary).toBe('Tests: 2 passed, 1 failed, 1 skipped');
  expect(finished.output.match(/^FAILED: .*(?:\n {4}.*)?/gm)).toEqual([
    `FAILED: ${fixtures}/fails.fixture.ts › fails every time\n` +
      '    Error: expect(received).toBe(expected) // Object.is equality',
  ]);
  expect(finished.output.match(/^FAIL .*\bfails\.fixture\.ts/gm)).toHaveLength(2);
  const seeds = [...finished.output.matchAll(/^Seed: +(-?\d+)/gm)].map(([, seed]) => seed);
  expect([seeds.length, new Set(seeds).size]).toEqual([2, 1]);
});

test('no file runs again if more than 20 files fail', async () => {
  const many = join(folder, 'many');
  mkdirSync(many);
  for (let file = 1; file <= 21; file++)
    writeFileSync(
      join(many, `${file}.test.cjs`),
      `test('when all is wrong', () => { throw new Error('as expected'); });`,
    );
  const options = `--config=${JSON.stringify({ rootDir: many, testMatch: ['**/*.test.cjs'] })}`;
  const args = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', script, many, options];

  const finished = await run({ command: process.execPath, args, env: process.env, timeoutMs: 50_000 });

  expect(finished.code).toBe(1);
  expect(finished.output).not.toContain('run once more');
  expect(lastLines(finished, 1)).toEqual(['Tests: 0 passed, 21 failed']);
});

test('only the file given on the command line runs', async () => {
  const env = { ...process.env, COMANDA_TEST_DATA: folder };
  const flags = ['--conditions=source', '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const args = [...flags, script, folder, '', 'scripts/start/arguments.test.ts'];

  const finished = await run({ command: process.execPath, args, env, timeoutMs: 50_000 });

  expect(finished.output).toContain('PASS scripts scripts/start/arguments.test.ts');
  expect(finished.code).toBe(0);
});

const node = [process.execPath, ...process.execArgv.filter((flag) => flag !== '--'), join(root, 'scripts/test.ts')];

test('listing files prints them to standard output', async () => {
  const [command = '', ...flags] = node;
  const args = ['--listTests', 'scripts/start/arguments.test.ts'];
  const listed = await run({ command, args: [...flags, ...args], timeoutMs: 30_000 });

  expect(listed.output.trim()).toBe(join(root, 'scripts/start/arguments.test.ts'));
  expect(listed.code).toBe(0);
});

describe('watch mode', () => {
  const args = ['--watch', 'scripts/start/arguments.test.ts'];

  test('is rejected with a single line if there is no terminal', async () => {
    const [command = '', ...flags] = node;
    const finished = await run({ command, args: [...flags, ...args], timeoutMs: 30_000 });

    expect(finished.code).toBe(1);
    expect(finished.output).toMatch(/^--watch needs a terminal.*$/);
  });

  /** Returns a script(1) command that runs these words in its own terminal. */
  const inTerminal = (words: readonly string[]): string[] =>
    process.platform === 'linux'
      ? ['--quiet', '--return', '--command', words.map((word) => `'${word}'`).join(' '), '/dev/null']
      : ['-q', '/dev/null', ...words];

  test('runs the file again after a key press', async () => {
    // Jest hides its keys in CI and in a dumb terminal.
    const env = { ...process.env, CI: 'false', TERM: 'xterm' };
    const terminal = spawn('script', inTerminal([...node, ...args]), { cwd: root, env });
    let output = '';
    terminal.stdout.on('data', (text) => (output += String(text)));
    const ended = once(terminal, 'exit');
    const runsAre = (count: number): Promise<unknown> =>
      until(() => output.split('Watch Usage').length > count, {
        what: `the end of run ${count}`,
        timeoutMs: 90_000, // The first run starts servers while other tests are running.
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
      terminal.kill('SIGKILL'); // Closing the terminal stops all programs that are still running in it.
    }
  }, 200_000);
});
