// npm run logs -- [service …]: prints the last 100 lines of the services' logs in a readable form, followed by new lines until
// Ctrl-C.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defineCommand, readCommandLine } from './command-line.ts';
import { formatLogLine, timeOfLine } from './logs/format-log-line.ts';
import { openGrowingFile } from './logs/growing-file.ts';
import { comandaDir, starterFile } from '@comanda/local-stack/root';
import { shutdownSignal } from './shutdown-signal.ts';
import { runningStarter } from './start/starter-lock.ts';

const services = ['gateway', 'orders', 'auth-stepup', 'transfers', 'notifier'];
const firstLines = 100;
const checkEveryMs = 300;

const { operands: asked } = readCommandLine(
  defineCommand({
    name: 'npm run logs',
    script: 'logs',
    about: `Prints the newest ${firstLines} lines of the services' logs since the last start for a person, and what is added, until Ctrl-C.`,
    options: {},
    operands: { usage: '[service …]', help: `${services.join(', ')}; all of them by default` },
    settings: { COMANDA_DIR: 'the folder of data and logs (.comanda)' },
  }),
);
const unknown = asked.filter((name) => !services.includes(name));
if (unknown.length > 0) {
  console.error(`There is no service ${unknown.join(', ')}. The services are ${services.join(', ')}.`);
  process.exit(1);
}

const folder = join(comandaDir, 'logs');
const files = (asked.length > 0 ? asked : services).map((name) => openGrowingFile(join(folder, `${name}.log`)));
/** Returns all files' new lines, sorted by time. A line without a time follows the line before it. */
function readNewLines(): string[] {
  const entries = files.flatMap((file) => {
    let time = '';
    return file.read().map((line) => ({ line, time: (time = timeOfLine(line) || time) }));
  });
  return entries.toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time))).map(({ line }) => line);
}
const print = (lines: readonly string[]): void => {
  if (lines.length > 0) console.log(lines.map(formatLogLine).join('\n'));
};

const stopped = shutdownSignal().then((exitCode) => process.exit(exitCode));
const first = readNewLines();
if (first.length === 0) console.error(`There are no logs in ${folder} yet. npm start writes them.`);
print(first.slice(-firstLines));
if (!runningStarter(starterFile))
  console.error(`npm start does not run with the data in ${comandaDir}. This waits for new lines.`);
for (;;) {
  await Promise.race([delay(checkEveryMs), stopped]);
  print(readNewLines());
}
