// npm run containers: builds and runs both compose files on a Docker engine as the documentation describes, from `build` to
// `down`. The exit code is 0 if everything works, 69 without an engine, and otherwise 1.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { comandaDir } from '@comanda/local-stack/root';
import { isRefusal } from '@comanda/local-stack/servers/refusal';
import { defineCommand, readCommandLine } from './command-line.ts';
import { checkDemo } from './containers/demo.ts';
import { findEngine } from './containers/engine.ts';
import { checkProduction } from './containers/production.ts';
import { createStep } from './containers/step.ts';
import { shutdownSignal } from './shutdown-signal.ts';

const { values } = readCommandLine(
  defineCommand({
    name: 'npm run containers',
    script: 'containers',
    about:
      "Builds both compose files on a Docker engine and runs them from `up` to `down`: the demo with the README's tour, and\n" +
      'production with servers that ask who connects, all that it must refuse, and an update under load. It uses names,\n' +
      'ports and volumes of its own, and removes them.',
    options: {
      only: { value: 'FILE', help: '`demo` or `production`' },
    },
  }),
);
/** EX_UNAVAILABLE in sysexits.h: a required service isn't available. */
const unavailable = 69;
const log = (line: string): void => console.error(line);
const stopping = new AbortController();

async function checkContainers(): Promise<number> {
  const engine = await findEngine();
  if (engine.kind === 'missing') {
    log(engine.why);
    return unavailable;
  }
  log(engine.about);
  mkdirSync(comandaDir, { recursive: true });
  const reaper = await startReaper();
  const newFolder = (): string => {
    const folder = mkdtempSync(join(comandaDir, 'containers-')); // an engine in a virtual machine can see this folder
    reaper.remove(folder);
    return folder;
  };
  const step = createStep(log);
  try {
    if (values.only !== 'production') await checkDemo({ folder: newFolder(), step, signal: stopping.signal });
    if (values.only !== 'demo') await checkProduction({ folder: newFolder(), step, signal: stopping.signal });
  } finally {
    await reaper.finish();
  }
  log('All of it works.');
  return 0;
}

void shutdownSignal(() => stopping.abort());
process.exitCode = await checkContainers().catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
process.exit();
