import { afterAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@comanda/testing/until';
import { inSixths } from '@comanda/testing/budget';
import { root } from '@comanda/local-stack/root';
import { isRunning, type ProcessIdentity } from '@comanda/local-stack/process-identity';
import { run, type Finished } from '@comanda/local-stack/servers/command';

const fixtures = 'scripts/jest/fixtures/summary';
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
  const { code, durations } = await runJest({
    args,
    env: process.env,
    folder,
    onSpawn: (jest) => console.log('started ' + JSON.stringify(jest)),
    teardownTimeLimitMs: 1_000,
  });
  console.log('durations of ' + Object.keys(durations));
  process.exitCode = code;
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
  return run({ command: process.execPath, args: [...node, ...jest], env: process.env, timeoutMs: 50_000 });
}
const lastLines = ({ output }: Finished, count: number): string[] => output.split('\n').slice(-count);

test('when a file fails, then nothing runs twice, the last lines name what failed and count each test, and how long each file took is known', async () => {
  const finished = await runFixtures(['passes', 'fails']);

  expect(finished.code).toBe(1);
  expect(finished.output).not.toContain('HUNG');
  expect(finished.output.match(/● when something is wrong/g)).toHaveLength(1);
  const [summary, durations] = lastLines(finished, 2);
  expect(summary).toBe('Tests: 1 passed, 1 failed, 1 skipped');
  expect(finished.output).toContain(
    `FAILED: ${fixtures}/fails.fixture.ts › when something is wrong, then it fails\n    Error: expect(received).toBe(expected)`,
  );
  expect(durations).toContain(`${fixtures}/passes.fixture.ts`);
  expect(durations).toContain(`${fixtures}/fails.fixture.ts`);
});

inSixths.test('when a file is named and nothing else, then it runs', async () => {
  const env = { ...process.env, COMANDA_TEST_DATA: folder };
  const node = ['--conditions=source', '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const args = [...node, script, folder, 'scripts/start/arguments.test.ts'];

  const finished = await run({ command: process.execPath, args, env, timeoutMs: 50_000 });

  expect(finished.output).toContain('PASS scripts scripts/start/arguments.test.ts');
  expect(finished.code).toBe(0);
});

inSixths.test('when a global teardown hangs, then Jest is ended, and the exit code is 1', async () => {
  const finished = await runFixtures(['passes'], [`--globalTeardown=${join(root, fixtures, 'hangs.mjs')}`]);

  expect(finished.code).toBe(1);
  expect(finished.output).toContain('HUNG: Jest still runs 1 s after the last test');
  expect(lastLines(finished, 2)[0]).toBe('Tests: 1 passed, 0 failed, 1 skipped');
  const started = JSON.parse(/^started (.*)$/m.exec(finished.output)?.[1] ?? '') as ProcessIdentity;
  expect(isRunning(started)).toBe(false);
});

const node = [process.execPath, ...process.execArgv.filter((flag) => flag !== '--'), join(root, 'scripts/test.ts')];

inSixths.test('when the files are listed, then standard output has them, and the exit code is 0', async () => {
  const [command = '', ...flags] = node;
  const args = ['--listTests', 'scripts/start/arguments.test.ts'];
  const listed = await run({ command, args: [...flags, ...args], timeoutMs: 30_000 });

  expect(listed.output.trim()).toBe(join(root, 'scripts/start/arguments.test.ts'));
  expect(listed.code).toBe(0);
});

describe('watch mode', () => {
  const args = ['--watch', 'scripts/start/arguments.test.ts'];

  inSixths.test('when there is no terminal, then it is refused in one line before anything starts', async () => {
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

  inSixths.test(
    'when there is a terminal, then its keys run the file again and end it',
    async () => {
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
    },
    200_000,
  );
});
