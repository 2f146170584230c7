// npm run cluster-lab: the charts on a real control plane of Kubernetes, with the real services as pods.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { findKubernetes } from '@comanda/local-stack/kubernetes/kubernetes-program';
import { memoryFolder } from '@comanda/local-stack/memory-folder';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { comandaDir, programsDir } from '@comanda/local-stack/root';
import { isRefusal } from '@comanda/local-stack/servers/refusal';
import { startLab } from '../test/cluster-lab/start-lab.ts';
import { installTools } from './chart/tools.ts';
import { shutdownSignal } from './shutdown-signal.ts';

const begun = performance.now();
const log = (line: string): void =>
  console.error(`${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
mkdirSync(comandaDir, { recursive: true });
const reaper = await startReaper();

async function clusterLab(): Promise<number> {
  const kubernetes = await findKubernetes({ programsDir, log });
  const { helm } = await installTools(log);
  const dataDir = mkdtempSync(join(memoryFolder() ?? comandaDir, 'cluster-lab-'));
  reaper.remove(dataDir);
  const lab = await startLab({ programs: { kubernetes, helm }, dataDir, reaper, log });
  lab.images.publish('auth-stepup', '1.0.0');
  const { code, output } = await lab.helm('upgrade', '--install', 'auth-stepup', 'deploy/helm/auth-stepup', '-f', lab.environment, '--atomic', '--timeout', '40s');
  log(`${code} ${output}`);
  log(await lab.kubectl('get', 'pods,svc,jobs,ingress,pdb,hpa', '-o', 'wide'));
  await lab.close();
  return 0;
}

const exitCode = await Promise.race([clusterLab(), shutdownSignal()]).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
await reaper.finish();
process.exit(exitCode);
