import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
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
  testResults: readonly { name: string; status: string }[];
};

/**
 * Runs Jest to its end and prints which tests hung, if any, and `Tests: N passed, N failed` after all that it prints. A file that could not run counts
 * as one that failed. Resolves with the exit code: 0 only if Jest's is and it ended by itself.
 */
export async function runJest(options: {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** For files of this run. */
  folder: string;
  onSpawn: OnSpawn;
}): Promise<number> {
  const { args, env, folder, onSpawn } = options;
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
  if (code === 0 || args.includes(alone) || failed.length > mostAgain || existsSync(hungFile)) {
    console.log(summary(results));
    return code;
  }
  // These tests share a machine with real servers: what failed among the others is judged by a run on its own.
  console.error(`\nFAILED, and run once more, alone:\n${failed.map(({ name }) => `  ${name}`).join('\n')}`);
  console.error(`The first run: ${summary(results)}`);
  rmSync(resultFile);
  return runJest({ ...options, args: ['--maxWorkers=1', alone, ...failed.map(({ name }) => name)] });
}

const alone = '--runTestsByPath';
const mostAgain = 8;

/** Resolves if Jest, with all results written, is still there 15 seconds later. */
async function neverEnds(resultFile: string): Promise<number> {
  // oxlint-disable-next-line no-await-in-loop -- looks now and then
  while (!existsSync(resultFile)) await delay(250, undefined, { ref: false });
  await delay(15_000, undefined, { ref: false });
  console.error(
    'HUNG: Jest itself did not end 15 s after the last test: global set-up or teardown left something open',
  );
  return 1;
}

function summary(results: Results): string {
  const skipped = results.numPendingTests + results.numTodoTests;
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  return `Tests: ${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
