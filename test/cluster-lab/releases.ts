import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { lastLines } from '@comanda/local-stack/servers/command';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import { until } from '@comanda/testing/until';
import type { Pod } from '@comanda/local-stack/kubernetes/pod';
import { namespace, type Lab } from './start-lab.ts';

/** In the order of docs/operations.md. */
export const installOrder = ['auth-stepup', 'transfers', 'orders', 'notifier', 'gateway'] as const;
const timeout = '180s';
const settledMs = 180_000;

type Upgrade = { service: ServiceName; set: readonly string[]; flags?: readonly string[] };
/** `helm upgrade --install`. */
export function upgrade(
  { helm, environment }: Lab,
  { service, set, flags = ['--atomic', '--timeout', timeout] }: Upgrade,
) {
  const chart = join(root, 'deploy/helm', service);
  const values = set.flatMap((each) => ['--set', each]);
  return helm('upgrade', '--install', service, chart, '-f', environment, ...values, ...flags);
}

/** @throws Error with what helm says */
export async function succeed(command: Promise<{ code: number; output: string }>): Promise<void> {
  const { code, output } = await command;
  if (code !== 0) throw new Error(`helm failed:\n${lastLines(output)}`);
}

/** @throws Error if helm says that it worked */
export async function fail(command: Promise<{ code: number; output: string }>, says: RegExp): Promise<void> {
  const { code, output } = await command;
  if (code === 0 || !says.test(output))
    throw new Error(`helm was to fail with ${says}, and said:\n${lastLines(output)}`);
}

/** The revision of a release that is deployed now. */
export async function revisionOf({ helm }: Lab, service: ServiceName): Promise<number> {
  const { output } = await helm('history', service, '-o', 'json');
  const history = JSON.parse(output) as { revision: number; status: string }[];
  return history.find(({ status }) => status === 'deployed')?.revision ?? 0;
}

export const rollBack = ({ helm }: Lab, service: ServiceName, revision: number) =>
  helm('rollback', service, String(revision), '--wait', '--timeout', timeout);

export async function podsOf({ api }: Lab, service: ServiceName): Promise<Pod[]> {
  const selector = encodeURIComponent(`app.kubernetes.io/name=${service},app.kubernetes.io/component=service`);
  return api.list<Pod>(`/api/v1/namespaces/${namespace}/pods?labelSelector=${selector}`);
}

/** The tags of the images that a service's pods run. */
export const tagsOf = async (lab: Lab, service: ServiceName): Promise<string[]> =>
  (await podsOf(lab, service)).map(({ spec }) => spec.containers[0]?.image.split(':').at(-1) ?? '');

/** Waits until all of a service is what was asked for: helm returns while old pods still stop. */
export async function settled(lab: Lab, service: ServiceName, pods = 2): Promise<void> {
  await lab.kubectl('rollout', 'status', `deployment/${service}`, `--timeout=${timeout}`);
  await until(async () => (await podsOf(lab, service)).length === pods && lab.proxy.endpointsOf(service) === pods, {
    what: `${pods} pods of ${service}`,
    timeoutMs: settledMs,
  });
}
