import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../root.ts';
import { identify } from '../servers/process-identity.ts';
import { refusal } from '../servers/refusal.ts';
import type { OnSpawn } from '../servers/server-process.ts';

type FileResult = { name: string; status: string; assertionResults: readonly { status: string }[] };
type Results = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: readonly FileResult[];
};
type Counts = { passed: number; failed: number; skipped: number };
/** Of one Jest process; no results if it could not start or write them. */
type Run = { code: number; results: Results | null; hung: boolean };

export type RunJestOptions = {
  /** As for `jest`, except for watch mode. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** For the files of this run. */
  folder: string;
  onSpawn: OnSpawn;
};

/** More failed files than this are no chance event. */
const maxRepeatedFiles = 8;
const teardownTimeLimitMs = 15_000;

/**
 * Runs Jest to its end. If a few files fail and others pass, these few run once more, alone: tests share a machine with
 * real servers. The summary names each test that hung and each file that passed only on its second run. Its last line is
 * `Tests: N passed, N failed` (with `, N skipped` if there are any), with each test once, as in its last run; a file that
 * could not run counts as one failed test. Resolves with the exit code: 0 only if everything passed in the end.
 * @throws a refusal for watch mode
 */
export async function runJest(options: RunJestOptions): Promise<number> {
  refuseWatchMode(options.args);
  const first = await runOnce(options);
  if (!first.results) return first.code;
  const files = first.results.testResults;
  const failed = files.filter(isFailed);
  const repeatable =
    first.code !== 0 && !first.hung && failed.length > 0 && failed.length <= maxRepeatedFiles && files.length > 1;
  if (!repeatable) {
    console.log(summary(countsOf(first.results)));
    return first.code;
  }

  console.error(`\nFirst run: ${summary(countsOf(first.results))}. The files that failed run once more, alone:`);
  for (const { name } of failed) console.error(`  ${relative(root, name)}`);
  const second = await runOnce({ ...options, args: argsOfSecondRun(options.args, failed) });
  if (!second.results) return second.code;
  const passedLater = second.results.testResults.filter((file) => !isFailed(file));
  for (const { name } of passedLater) console.log(`Passed only on the second run: ${relative(root, name)}`);
  console.log(summary(sum(countsOfPassedFiles(first.results), countsOf(second.results))));
  return second.code;
}

function refuseWatchMode(args: readonly string[]): void {
  if (args.some((arg) => /^--watch(All)?(=|$)/.test(arg)))
    throw refusal(
      'npm test has no watch mode. Run npm test -- FILE again after a change; with the servers of npm run servers it starts at once.',
    );
}

/** The failed files by name, with the test name pattern and the configuration of the first run. */
function argsOfSecondRun(args: readonly string[], failed: readonly FileResult[]): string[] {
  const kept = args.flatMap((arg, index) => {
    if (/^(--testNamePattern|--config)=/.test(arg)) return [arg];
    return arg === '-t' || arg === '--testNamePattern' ? [`--testNamePattern=${args[index + 1] ?? ''}`] : [];
  });
  return [...kept, '--maxWorkers=1', '--runTestsByPath', ...failed.map(({ name }) => name)];
}

async function runOnce({ args, env, folder, onSpawn }: RunJestOptions): Promise<Run> {
  const resultFile = join(folder, 'results.json');
  const hungFile = join(folder, 'hung.txt');
  rmSync(resultFile, { force: true });
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const report = ['--json', `--outputFile=${resultFile}`];
  const child = spawn(process.execPath, [...process.execArgv, jest, ...report, ...args], {
    cwd: root,
    env: { ...env, COMANDA_HUNG_FILE: hungFile },
    detached: true, // with all that its tests start it is one group, to be ended as one
    stdio: ['ignore', 2, 2], // with --json, standard output has nothing for a reader
  });
  const exited = new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', reject);
  });
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (identity) onSpawn({ ...identity, name: 'Jest' });

  const code = await Promise.race([exited, hangsAfterTests(resultFile)]);
  const hung = existsSync(hungFile);
  if (hung) console.error(readFileSync(hungFile, 'utf8').trimEnd());
  if (!existsSync(resultFile)) {
    console.error(`Jest ended with exit code ${code} and without a result`);
    return { code: code || 1, results: null, hung };
  }
  return { code, results: JSON.parse(readFileSync(resultFile, 'utf8')) as Results, hung };
}

/** Resolves if Jest has written all results and still runs 15 seconds later. */
async function hangsAfterTests(resultFile: string): Promise<number> {
  while (!existsSync(resultFile)) await delay(250, undefined, { ref: false });
  await delay(teardownTimeLimitMs, undefined, { ref: false });
  console.error('HUNG: Jest still runs 15 s after the last test: global set-up or teardown left something open');
  return 1;
}

const isFailed = ({ status }: FileResult): boolean => status === 'failed';

const countsOf = (results: Results): Counts => ({
  passed: results.numPassedTests,
  failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
  skipped: results.numPendingTests + results.numTodoTests,
});

function countsOfPassedFiles({ testResults }: Results): Counts {
  const tests = testResults.filter((file) => !isFailed(file)).flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  return { passed, failed: 0, skipped: tests.length - passed };
}

const sum = (first: Counts, second: Counts): Counts => ({
  passed: first.passed + second.passed,
  failed: first.failed + second.failed,
  skipped: first.skipped + second.skipped,
});

const summary = ({ passed, failed, skipped }: Counts): string =>
  `Tests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
