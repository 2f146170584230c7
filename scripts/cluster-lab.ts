// npm run cluster-lab: the charts on a real control plane of Kubernetes, with the real services as pods.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { findKubernetes } from '@comanda/local-stack/kubernetes/kubernetes-program';
import { memoryFolder } from '@comanda/local-stack/memory-folder';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { comandaDir, programsDir, root } from '@comanda/local-stack/root';
import { lastLines, run } from '@comanda/local-stack/servers/command';
import { isRefusal, refusal } from '@comanda/local-stack/servers/refusal';
import { endOf, startProcess, type OnSpawn } from '@comanda/local-stack/servers/server-process';
import { openLab } from '../test/cluster-lab/open-lab.ts';
import { runLab } from '../test/cluster-lab/run-lab.ts';
import { writePage } from '../test/cluster-lab/write-page.ts';
import { installTools } from './chart/tools.ts';
import { defineCommand, readCommandLine, readNumber } from './command-line.ts';
import { shutdownSignal } from './shutdown-signal.ts';

const { values } = readCommandLine(
  defineCommand({
    name: 'npm run cluster-lab',
    script: 'cluster-lab',
    about:
      'Installs the charts on a real control plane of Kubernetes whose pods are processes of this machine, and upgrades, breaks,\n' +
      'drains and scales them while guests order. The exit code is 0 only if no call failed and no event was missed.',
    options: {
      screens: { value: 'N', help: 'how many screens are connected (100)' },
      rest: { value: 'MS', help: 'how long a client rests between two orders or transfers, in milliseconds (1000)' },
      reads: { value: 'N', help: 'how often a second the menu is read (50)' },
      only: {
        value: 'STEPS',
        help: 'only these steps, by a part of their names, separated by commas: "upgraded,drained";\na rollback needs the upgrade before it',
      },
      open: { help: 'installs nothing, and stays until Ctrl-C for who follows docs/operations.md by hand' },
      keep: { help: 'keeps the logs of everything in .comanda' },
    },
  }),
);
const begun = performance.now();
const log = (line: string): void =>
  console.error(`${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
mkdirSync(comandaDir, { recursive: true });
const reaper = await startReaper();
const stopping = new AbortController();

async function clusterLab(): Promise<number> {
  if (process.platform !== 'linux')
    throw refusal('The lab gives each pod an address in 127.0.0.0/8, which only Linux has. Run it on Linux.');
  const kubernetes = await findKubernetes({ programsDir, log });
  const { helm } = await installTools(log);
  const dataDir = mkdtempSync(join((!values.keep && memoryFolder()) || comandaDir, 'cluster-lab-'));
  if (!values.keep) reaper.remove(dataDir);
  await buildServices(join(dataDir, 'build.log'));
  const lab = { programs: { kubernetes, helm }, dataDir, reaper, signal: stopping.signal, log };
  if (values.open) {
    const { guide } = await openLab(lab);
    console.log(guide);
    log('it runs until Ctrl-C');
    return new Promise(() => undefined);
  }
  const report = await runLab({
    ...lab,
    screens: readNumber('screens', values.screens ?? '100'),
    restMs: readNumber('rest', values.rest ?? '1000'),
    readsPerSecond: readNumber('reads', values.reads ?? '50'),
    ...(values.only !== undefined && { only: values.only.split(',') }),
  });
  console.log(JSON.stringify(report, null, 2));
  if (values.only === undefined) {
    const { output } = await run({ command: helm, args: ['version', '--template', 'helm {{.Version}}'] });
    await writePage({ report, helmVersion: output });
    log('wrote docs/cluster-lab.md');
  }
  return report.broken.length === 0 ? 0 : 1;
}

/** What the images have, so that pods run what is in this folder now. */
async function buildServices(logFile: string): Promise<void> {
  log('building the services');
  const npm = { name: 'npm run build', command: 'npm', args: ['run', 'build'], env: process.env, cwd: root };
  const onSpawn: OnSpawn = (spawned) => reaper.track({ ...spawned, stop: 'kill group' });
  const { exited } = await startProcess({ ...npm, logFile, onSpawn });
  const { code } = await exited;
  if (code !== 0) throw refusal(`npm run build failed:\n${lastLines(endOf(logFile), 20)}`);
}

const exitCode = await Promise.race([clusterLab(), shutdownSignal(() => stopping.abort())]).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
await reaper.finish();
process.exit(exitCode);
