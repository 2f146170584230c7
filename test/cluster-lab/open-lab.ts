import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { first } from './steps.ts';
import { startCluster, type Lab, type LabOptions } from './start-lab.ts';

/**
 * A cluster in which nothing is installed, for a person who follows docs/operations.md. `guide` says how to use it, in lines
 * for a shell.
 */
export async function openLab(options: LabOptions): Promise<{ lab: Lab; guide: string }> {
  const lab = await startCluster(options);
  for (const service of serviceNames) lab.images.publish(service, first);
  const { kubernetes, helm } = options.programs;
  const bin = join(options.dataDir, 'bin');
  mkdirSync(bin);
  const kubectl = join(bin, 'kubectl');
  writeFileSync(kubectl, `#!/bin/sh\nexec '${kubernetes}' kubectl "$@"\n`);
  chmodSync(kubectl, 0o755);
  const guide = [
    `export KUBECONFIG='${lab.kubeconfig}' PATH='${bin}:${dirname(helm)}':"$PATH"`,
    '# In this repository: the secrets of docs/deployment.md for servers that run here, and the values for this machine.',
    `cp -r '${lab.secretsFolder}' secrets; cp '${lab.environment}' environment.yaml`,
    `# The images have the tag ${first}. The gateway is at ${lab.fronts.gateway.url}, the notifier at ${lab.fronts.notifier.url}.`,
    '# Pods are processes of this machine. kubectl logs and exec reach them, kubectl port-forward does not.',
  ].join('\n');
  return { lab, guide };
}
