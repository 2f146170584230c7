import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '@comanda/local-stack/root';
import { identify } from '@comanda/local-stack/process-identity';
import type { OnSpawn } from '@comanda/local-stack/servers/server-process';

/** What results-reporter.mjs writes. */
type Results = {
  counts: { passed: number; failed: number; skipped: number };
  /** Of each file, by its path below the root, in milliseconds. */
  durations: Record<string, number>;
  failures: { test: string; message: string }[];
};

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

/**
 * Runs Jest to its end. The summary names each test that hung, and repeats how each failure
 * begins: what Jest prints of it may be far above. Its last line is `Tests: N passed, N failed` (with
 * `, N skipped` if there are any); a file that could not run counts as one failed test. Resolves with the exit code and
 * how long each file took.
 */
export async function runJest(options: RunJestOptions): Promise<{ code: number; durations: Results['durations'] }> {
  const { args, env, folder, onSpawn, teardownTimeLimitMs = 15_000 } = options;
  const resultFile = join(folder, 'results.json');
  const hungFile = join(folder, 'hung.txt');
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
  if (existsSync(hungFile)) console.error(readFileSync(hungFile, 'utf8').trimEnd());
  if (!existsSync(resultFile)) {
    console.error(`Jest ended with exit code ${code} and without a result`);
    return { code: code || 1, durations: {} };
  }
  const { counts, durations, failures } = JSON.parse(readFileSync(resultFile, 'utf8')) as Results;
  for (const { test, message } of failures) console.error(`FAILED: ${test}\n${message.replaceAll(/^/gm, '    ')}`);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  console.log(`Tests: ${counts.passed} passed, ${counts.failed} failed${skipped}`);
  return { code, durations };
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

/** Resolves `limitMs` after Jest has written the results. */
async function limitAfterTests(resultFile: string, limitMs: number): Promise<null> {
  while (!existsSync(resultFile)) await delay(250, undefined, { ref: false });
  return delay(limitMs, null, { ref: false });
}
