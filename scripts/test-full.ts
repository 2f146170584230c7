// npm run test:full: runs all tests one after another: the tests with their long random runs, torture on one node and on three
// nodes of each server, third-party API checks, and mutants. A nightly workflow runs this command. After a failure, the command
// continues, and reports the failure in the summary at the end. The exit code is 0 only if everything passed.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { defineCommand, readCommandLine } from './command-line.ts';
import { shutdownSignal } from './shutdown-signal.ts';

readCommandLine(
  defineCommand({
    name: 'npm run test:full',
    script: 'test:full',
    about:
      'Runs all that is tested: npm test with long random runs, torture, torture --cluster, conformance, and mutants.\n' +
      'Takes about two hours. A summary at the end says what failed.',
    options: {},
  }),
);

type Step = { name: string; script: string; args?: readonly string[]; env?: NodeJS.ProcessEnv };
const steps: readonly Step[] = [
  { name: 'npm test, with long random runs', script: 'test.ts', env: { COMANDA_LONG: '1' } },
  { name: 'npm run torture', script: 'torture.ts' },
  { name: 'npm run torture -- --cluster', script: 'torture.ts', args: ['--cluster'] },
  { name: 'npm run conformance', script: 'conformance.ts' },
  { name: 'npm run mutants', script: 'mutants.ts' },
];

let running: ChildProcess | undefined;
async function run({ script, args = [], env = {} }: Step): Promise<number> {
  const file = join(import.meta.dirname, script);
  // The IPC channel closes when this process is killed, which tells the child process to stop.
  running = spawn(process.execPath, [...process.execArgv, file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [code] = (await once(running, 'exit')) as [number | null];
  return code ?? 1;
}

let isStopping = false;
void shutdownSignal((why) => {
  console.error(`stopping: ${why}`);
  isStopping = true;
  running?.kill('SIGTERM');
});

const summary: string[] = [];
let failures = 0;
for (const [index, step] of steps.entries()) {
  if (isStopping) break;
  console.error(`\n=== ${index + 1} of ${steps.length}: ${step.name}`);
  const started = performance.now();
  const code = await run(step);
  if (code !== 0) failures++;
  const minutes = ((performance.now() - started) / 60_000).toFixed(1).padStart(6);
  summary.push(`${code === 0 ? 'passed' : 'FAILED'} ${minutes} min  ${step.name}`);
}
console.log(`\n${summary.join('\n')}`);
const left = steps.length - summary.length;
console.log(left > 0 ? `Stopped: ${left} of ${steps.length} did not run` : `${failures} of ${steps.length} failed`);
process.exit(failures === 0 && left === 0 ? 0 : 1);
