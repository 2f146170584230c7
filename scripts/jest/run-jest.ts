import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { identify } from '@comanda/local-stack/process-identity';
import type { OnSpawn } from '@comanda/local-stack/servers/server-process';

/** The content of the file from results-reporter.mjs. */
type Results = {
  seed: number;
  /** Each file's results, by its path relative to the root. */
  files: Record<string, FileResults>;
};
/** The results for a file. A file that couldn't run counts as one failed test. */
type FileResults = { passed: number; failed: number; skipped: number; failures: { test: string; message: string }[] };

export type RunJestOptions = {
  /** The options for `jest`. */
  options: readonly string[];
  /** Parts of the paths of the files to run; empty to run all files. */
  files: readonly string[];
  env: NodeJS.ProcessEnv;
  /** The folder for this run's files. */
  folder: string;
  onSpawn: OnSpawn;
};

/**
 * The maximum number of files to run again. If more files fail, the cause is not chance, and running the files one after another
 * would take longer than the whole run.
 */
const mostAgain = 20;

/**
 * Runs Jest, then runs each failed file once more, alone and with the same seed. If a failure depends on neither timing nor other
 * files, it happens again. A file that passes the second time doesn't fail the run, but appears in the summary. The summary also
 * repeats the start of each failure, because Jest's own output is far above.
 */
export async function runJest(given: RunJestOptions): Promise<number> {
  const first = await runOnce(given);
  if (!first.results) return first.code || 1;
  const { seed, files } = first.results;
  const failed = failedIn(files);
  const isLast = failed.length === 0 || failed.length > mostAgain || given.options.includes('--bail');
  const second = isLast ? null : await runAgain(given, failed, seed);
  const results = { ...files, ...second?.results?.files };
  const broken = failedIn(results);
  for (const file of broken) printFailures([...(files[file]?.failures ?? []), ...(results[file]?.failures ?? [])]);
  for (const file of failed.filter((each) => !broken.includes(each))) console.log(flakyLine(file, files[file]));
  printCounts(Object.values(results));
  return second?.results && broken.length === 0 ? second.code : first.code;
}

/** Runs failed files again while nothing else is running. */
function runAgain(given: RunJestOptions, files: readonly string[], seed: number): ReturnType<typeof runOnce> {
  console.error(`\nThese files failed, and run once more, one after the other:\n  ${files.join('\n  ')}`);
  const others = given.options.filter((option) => !/^--(?:seed|maxWorkers|coverage)\b/.test(option));
  return runOnce({ ...given, options: [...others, `--seed=${seed}`, '--maxWorkers=1', '--runTestsByPath'], files });
}

async function runOnce(given: RunJestOptions): Promise<{ code: number; results: Results | null }> {
  const resultFile = join(given.folder, 'results.json');
  rmSync(resultFile, { force: true });
  // The reporters come last, because `--reporters` also reads the words after it, up to the next option.
  const report = ['--reporters=default', `--reporters=${join(import.meta.dirname, 'results-reporter.mjs')}`];
  const args = [...process.execArgv, jestProgram, ...given.options, ...given.files, ...report];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...given.env, COMANDA_RESULTS_FILE: resultFile },
    detached: true, // Jest and all processes from its tests form a process group, so they can be killed together.
    stdio: ['ignore', 2, 2], // Standard output is reserved for the summary.
  });
  const exited = exitOf(child);
  track(child, given.onSpawn);
  const code = await exited;
  if (existsSync(resultFile)) return { code, results: JSON.parse(readFileSync(resultFile, 'utf8')) as Results };
  console.error(`Jest ended with exit code ${code} and without a result`);
  return { code, results: null };
}

const failedIn = (files: Results['files']): string[] =>
  Object.keys(files)
    .filter((file) => files[file]?.failed)
    .toSorted();

/** Prints each failed test once, with its first failure. */
function printFailures(failures: FileResults['failures']): void {
  const firstOfEach = failures.filter(({ test }, index) => failures.findIndex((each) => each.test === test) === index);
  for (const { test, message } of firstOfEach) console.error(`FAILED: ${test}\n${message.replaceAll(/^/gm, '    ')}`);
}

function flakyLine(file: string, results: FileResults | undefined): string {
  const { test = file, message = '' } = results?.failures[0] ?? {};
  const name = test.replace(`${file} › `, '');
  return `flaky: ${file}, first failure: ${name === file ? '' : `${name}: `}${message.split('\n')[0]?.trim()}`;
}

function printCounts(files: readonly FileResults[]): void {
  const count = (key: 'passed' | 'failed' | 'skipped'): number => files.reduce((sum, file) => sum + file[key], 0);
  const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
  console.log(`Tests: ${count('passed')} passed, ${count('failed')} failed${skipped}`);
}

/** Prints the files that would run to standard output, and returns the exit code. */
export const listTests = (args: readonly string[]): Promise<number> =>
  exitOf(spawn(process.execPath, [...process.execArgv, jestProgram, ...args], { cwd: root, stdio: 'inherit' }));

/** Runs Jest in this terminal after each change, until `q` or Ctrl-C. Returns the exit code. */
export async function watchJest(given: Omit<RunJestOptions, 'folder'>): Promise<number> {
  const args = [...process.execArgv, jestProgram, '--watchAll', ...given.options, ...given.files];
  const child = spawn(process.execPath, args, { cwd: root, env: given.env, stdio: 'inherit' });
  const exited = exitOf(child);
  track(child, given.onSpawn);
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
