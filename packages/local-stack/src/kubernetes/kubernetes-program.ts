import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import { lastLines, onPath, run } from '../servers/command.ts';
import { refusal } from '../servers/refusal.ts';

const sources = join(root, 'deploy', 'lab');

/** The version of Kubernetes that the modules in deploy/lab name. */
export const kubernetesVersion = /^\tk8s\.io\/kubernetes v(\S+)$/m.exec(
  readFileSync(join(sources, 'go.mod'), 'utf8'),
)?.[1];

/**
 * The program of deploy/lab: etcd, the control plane of Kubernetes and kubectl. Built from their Go modules, whose content
 * Go verifies with its checksum database, unless it was built before.
 * @throws Refusal without Go, or if it cannot be built
 */
export async function findKubernetes(options: { programsDir: string; log: (line: string) => void }): Promise<string> {
  const { programsDir, log } = options;
  const folder = join(programsDir, `kubernetes-${kubernetesVersion}`);
  if (!existsSync(folder)) {
    log('building the control plane of Kubernetes: some ten minutes, once');
    const unfinished = mkdtempSync(join(programsDir, '.kubernetes-'));
    try {
      await build(unfinished);
      renameSync(unfinished, folder);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return join(folder, 'kubernetes');
}

async function build(into: string): Promise<void> {
  const go = onPath('go');
  if (go === undefined)
    throw refusal(
      'The lab runs a real control plane of Kubernetes, which is built with Go, and there is no go. Install it: https://go.dev/dl/',
    );
  const folder = join(into, 'sources');
  mkdirSync(folder);
  for (const name of ['main.go', 'go.mod', 'go.sum']) copyFileSync(join(sources, name), join(folder, name));
  const [major, minor] = (kubernetesVersion ?? '').split('.');
  const version = { gitVersion: `v${kubernetesVersion}`, gitMajor: major, gitMinor: minor };
  const variables = Object.entries(version).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  const { code, output } = await run({
    command: go,
    args: [
      'build',
      '-C',
      folder,
      '-trimpath',
      '-ldflags',
      ['-s -w', ...variables].join(' '),
      '-o',
      '../kubernetes',
      '.',
    ],
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOWORK: 'off' },
    timeoutMs: 3_600_000,
  });
  if (code !== 0) throw refusal(`The control plane cannot be built:\n${lastLines(output)}`);
}
