import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../root.ts';
import { identify } from '../servers/process-identity.ts';
import type { OnSpawn } from '../servers/server-process.ts';

type Results = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: readonly { name: string; status: string; assertionResults: readonly { status: string }[] }[];
};
type Counts = { passed: number; failed: number; skipped: number };

/**
 * Runs Jest to its end and prints which tests hung, if any, and `Tests: N passed, N failed` after all that it prints. A file that could not run counts
 * as one that failed. A few files that fail among the others are run once more, alone, which is said: the last line has each test once, as it ended last.
 * Resolves with the exit code: 0 only if Jest's is and it ended by itself.
 */
export async function runJest(options: {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** For files of this run. */
  folder: string;
  onSpawn: OnSpawn;
  /** Of the files that are not run again. */
  before?: Counts;
}): Promise<number> {
  const { args, env, folder, onSpawn, before } = options;
  const resultFile = join(folder, 'results.json');
  const hungFile = join(folder, 'hung.txt');
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

  const code = await Promise.race([exited, neverEnds(resultFile)]);
  if (existsSync(hungFile)) console.error(readFileSync(hungFile, 'utf8').trimEnd());
  if (!existsSync(resultFile)) {
    console.error(`Jest ended with exit code ${code} and without a result`);
    return code || 1;
  }
  const results = JSON.parse(readFileSync(resultFile, 'utf8')) as Results;
  const failed = results.testResults.filter(({ status }) => status === 'failed');
  if (code === 0 || before || failed.length > mostAgain || existsSync(hungFile)) {
    console.log(summary(countsOf(results), before));
    return code;
  }
  // These tests share a machine with real servers: what failed among the others is judged by a run on its own.
  console.error(`\nThe first run: ${summary(countsOf(results))}. What failed is run once more, alone:`);
  for (const { name } of failed) console.error(`  ${relative(root, name)}`);
  rmSync(resultFile);
  const again = ['--maxWorkers=1', '--runTestsByPath', ...failed.map(({ name }) => name)];
  return runJest({ ...options, args: again, before: countsOfPassed(results) });
}

const mostAgain = 8;

/** Resolves if Jest, with all results written, is still there 15 seconds later. */
async function neverEnds(resultFile: string): Promise<number> {
  while (!existsSync(resultFile)) await delay(250, undefined, { ref: false });
  await delay(15_000, undefined, { ref: false });
  console.error(
    'HUNG: Jest itself did not end 15 s after the last test: global set-up or teardown left something open',
  );
  return 1;
}

function countsOf(results: Results): Counts {
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

/** Of the files that passed. */
function countsOfPassed({ testResults }: Results): Counts {
  const tests = testResults
    .filter(({ status }) => status !== 'failed')
    .flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  return { passed, failed: 0, skipped: tests.length - passed };
}

function summary(counts: Counts, before: Counts = { passed: 0, failed: 0, skipped: 0 }): string {
  const skipped = counts.skipped + before.skipped;
  const passed = counts.passed + before.passed;
  return `Tests: ${passed} passed, ${counts.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
