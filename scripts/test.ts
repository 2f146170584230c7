// npm test: starts MongoDB, Redis and RabbitMQ with temporary data (or uses the servers whose URLs are in the environment), runs
// Jest, and cleans up. A file that fails is run again at the end, alone. The last line of output is `Tests: N passed, N failed`.
// The exit code is 0 only if every test passed in its first or second run.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand, readCommandLine } from './command-line.ts';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { shutdownSignal } from './shutdown-signal.ts';
import { listTests, runJest, watchJest } from './jest/run-jest.ts';
import { comandaDir, programsDir } from '@comanda/local-stack/root';
import { findChromium } from '@comanda/local-stack/browser/find-chromium';
import { memoryFolder } from '@comanda/local-stack/memory-folder';
import { isRefusal } from '@comanda/local-stack/servers/refusal';
import {
  serverVariables,
  startEphemeralServers,
  type ServerUrls,
} from '@comanda/local-stack/servers/ephemeral-servers';

const { values, operands } = readCommandLine(
  defineCommand({
    name: 'npm test',
    script: 'test',
    about:
      'Runs the tests against real servers, which it starts. Servers of `npm run servers` save some seconds each time:\n' +
      'give their lines to the shell first.',
    options: {
      testNamePattern: { short: 't', value: 'NAME', help: 'only tests whose names match this regular expression' },
      watch: { help: 'run the files again after each change, until q; needs a terminal' },
      verbose: { help: 'print the name of each test' },
      bail: { help: 'stop after the first file that fails' },
      coverage: { help: 'measure which lines ran; the report is in coverage/' },
      seed: { value: 'N', help: 'the order of an earlier run, which printed this number' },
      maxWorkers: { value: 'N', help: 'how many files run at once (4)' },
      listTests: { help: 'print the files and run none' },
    },
    operands: { usage: '[FILE …]', help: 'only files whose paths match; a folder or a part of a name will do' },
    settings: {
      MONGODB_URI: 'a replica set to use instead of our own MongoDB',
      REDIS_URL: 'a Redis to use instead of our own',
      RABBITMQ_URL: 'a RabbitMQ to use instead of our own',
      RABBITMQ_MANAGEMENT_URL: 'where its management plugin answers',
      CHROMIUM: 'the browser of the tests of the apps; download: not an installed one',
    },
  }),
);
const { watch, ...forJest } = values;
if (watch && !process.stdin.isTTY) {
  console.error('--watch needs a terminal, for its keys. Without one, run npm test -- FILE again after a change.');
  process.exit(1);
}
const jestOptions = Object.entries(forJest).map(([name, value]) =>
  value === true ? `--${name}` : `--${name}=${value}`,
);
if (values.listTests) process.exit(await listTests([...jestOptions, ...operands]));

const log = (line: string): void => console.error(line);
const interrupted = shutdownSignal((why) => log(`interrupted: ${why}`)).then(() => 130);
mkdirSync(comandaDir, { recursive: true });
const reaper = await startReaper();

async function runTests(): Promise<number> {
  const given = Object.fromEntries(serverVariables.map((name) => [name, process.env[name]])) as Partial<ServerUrls>;
  const started = performance.now();
  const areGiven = given.MONGODB_URI && given.REDIS_URL && given.RABBITMQ_URL;
  log(`${areGiven ? 'using the given' : 'starting'} MongoDB, Redis and RabbitMQ for the tests`);
  // If possible, the servers' data is in memory. There, it survives a killed server, and no test simulates a power loss.
  const dataDir = mkdtempSync(join(memoryFolder() ?? comandaDir, 'comanda-test-'));
  if (operands.length === 0) findBrowser();
  const urls = await startEphemeralServers({ given, programsDir, dataDir, log, reaper });
  log(`the servers are ready after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  const outlive = given.MONGODB_URI || given.REDIS_URL || given.RABBITMQ_URL;
  const tests = {
    options: jestOptions,
    files: operands,
    env: {
      ...process.env,
      ...urls,
      COMANDA_TEST_DATA: dataDir,
      ...(!outlive && { COMANDA_TEST_SERVERS: 'ephemeral' }),
    },
  };
  if (watch) return watchJest({ ...tests, onSpawn: (jest) => reaper.track({ ...jest, stop: 'kill' }) });
  return runJest({
    ...tests,
    folder: dataDir,
    onSpawn: (jest) => reaper.track({ ...jest, stop: 'kill group' }),
  });
}

/**
 * Downloads a browser while the servers start, if the machine has none. If the download fails, the first tests that need a
 * browser fail.
 */
function findBrowser(): void {
  findChromium(log).catch(() => undefined);
}

const exitCode = await Promise.race([runTests(), interrupted]).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
await reaper.finish();
process.exit(exitCode);
