import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../root.ts';
import { identify } from '../servers/process-identity.ts';
import type { OnSpawn } from '../servers/server-process.ts';

type Counts = { passed: number; failed: number; skipped: number };
type FileResult = { path: string; failed: boolean; tests: readonly string[] };
/** What results-reporter.mjs writes. */
type Results = { counts: Counts; files: readonly FileResult[] };
/** Of one Jest process; no results if it could not start or write them. */
type Run = { code: number; results: Results | null; hung: boolean };

export type RunJestOptions = {
  /** As for `jest`. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** For the files of this run. */
  folder: string;
  onSpawn: OnSpawn;
  /** How long Jest may still run after the last test; 15 seconds by default. */
  teardownTimeLimitMs?: number;
};

/** More failed files than this are no chance event. */
const maxRepeatedFiles = 8;

/**
 * Runs Jest to its end. If a few files fail and others pass, these few run once more, alone: tests share a machine with
 * real servers. The summary names each test that hung and each file that passed only on its second run. Its last line is
 * `Tests: N passed, N failed` (with `, N skipped` if there are any), with each test once, as in its last run; a file that
 * could not run counts as one failed test. Resolves with the exit code: 0 only if everything passed in the end.
 */
export async function runJest(options: RunJestOptions): Promise<number> {
  const first = await runOnce(options);
  if (!first.results) return first.code;
  const { files, counts } = first.results;
  const failed = files.filter((file) => file.failed);
  const repeatable =
    first.code !== 0 && !first.hung && failed.length > 0 && failed.length <= maxRepeatedFiles && files.length > 1;
  if (!repeatable) {
    console.log(summary(counts));
    return first.code;
  }

  console.error(`\nFirst run: ${summary(counts)}. The files that failed run once more, alone:`);
  for (const { path } of failed) console.error(`  ${relative(root, path)}`);
  const second = await runOnce({ ...options, args: argsOfSecondRun(options.args, failed) });
  if (!second.results) return second.code;
  const passedLater = second.results.files.filter((file) => !file.failed);
  for (const { path } of passedLater) console.log(`Passed only on the second run: ${relative(root, path)}`);
  console.log(summary(sum(countsOfPassedFiles(files), second.results.counts)));
  return second.code;
}

/** Prints the files that would run on standard output. Resolves with the exit code. */
export const listTests = (args: readonly string[]): Promise<number> =>
  exitOf(spawn(process.execPath, [...process.execArgv, jestProgram, ...args], { cwd: root, stdio: 'inherit' }));

/** Runs Jest in this terminal again after each change, until `q` or Ctrl-C. Resolves with its exit code. */
export async function watchJest(options: Omit<RunJestOptions, 'folder'>): Promise<number> {
  const { args, env, onSpawn } = options;
  const child = spawn(process.execPath, [...process.execArgv, jestProgram, '--watchAll', ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  const exited = exitOf(child);
  track(child, onSpawn);
  return exited;
}

/** The failed files by name, with the test name pattern and the configuration of the first run. */
function argsOfSecondRun(args: readonly string[], failed: readonly FileResult[]): string[] {
  const kept = args.flatMap((arg, index) => {
    if (/^(--testNamePattern|--config)=/.test(arg)) return [arg];
    return arg === '-t' || arg === '--testNamePattern' ? [`--testNamePattern=${args[index + 1] ?? ''}`] : [];
  });
  return [...kept, '--maxWorkers=1', '--runTestsByPath', ...failed.map(({ path }) => path)];
}

const jestProgram = join(root, 'node_modules/jest/bin/jest.js');

const exitOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', reject);
  });

function track(child: ChildProcess, onSpawn: OnSpawn): void {
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (identity) onSpawn({ ...identity, name: 'Jest' });
}

async function runOnce(options: RunJestOptions): Promise<Run> {
  const { args, env, folder, onSpawn, teardownTimeLimitMs = 15_000 } = options;
  const resultFile = join(folder, 'results.json');
  const hungFile = join(folder, 'hung.txt');
  rmSync(resultFile, { force: true });
  // At the end: `--reporters` takes every word after it, up to the next option.
  const report = ['--reporters=default', `--reporters=${join(import.meta.dirname, 'results-reporter.mjs')}`];
  const child = spawn(process.execPath, [...process.execArgv, jestProgram, ...args, ...report], {
    cwd: root,
    env: { ...env, COMANDA_HUNG_FILE: hungFile, COMANDA_RESULTS_FILE: resultFile },
    detached: true, // with all that its tests start it is one group, to be ended as one
    stdio: ['ignore', 2, 2], // standard output is for the summary
  });
  const exited = exitOf(child);
  track(child, onSpawn);

  const code = (await Promise.race([exited, limitAfterTests(resultFile, teardownTimeLimitMs)])) ?? 1;
  const runs = child.exitCode === null && child.signalCode === null;
  if (runs && child.pid !== undefined) {
    console.error(
      `HUNG: Jest still runs ${teardownTimeLimitMs / 1_000} s after the last test: global set-up or teardown left something open`,
    );
    process.kill(-child.pid, 'SIGKILL');
  }
  const hung = existsSync(hungFile);
  if (hung) console.error(readFileSync(hungFile, 'utf8').trimEnd());
  if (!existsSync(resultFile)) {
    console.error(`Jest ended with exit code ${code} and without a result`);
    return { code: code || 1, results: null, hung };
  }
  return { code, results: JSON.parse(readFileSync(resultFile, 'utf8')) as Results, hung };
}

/** Resolves `limitMs` after Jest has written the results. */
async function limitAfterTests(resultFile: string, limitMs: number): Promise<null> {
  while (!existsSync(resultFile)) await delay(250, undefined, { ref: false });
  return delay(limitMs, null, { ref: false });
}

function countsOfPassedFiles(files: readonly FileResult[]): Counts {
  const tests = files.filter((file) => !file.failed).flatMap((file) => file.tests);
  const passed = tests.filter((status) => status === 'passed').length;
  return { passed, failed: 0, skipped: tests.length - passed };
}

const sum = (first: Counts, second: Counts): Counts => ({
  passed: first.passed + second.passed,
  failed: first.failed + second.failed,
  skipped: first.skipped + second.skipped,
});

const summary = ({ passed, failed, skipped }: Counts): string =>
  `Tests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
