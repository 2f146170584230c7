import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OnSpawn } from '../servers/server-process.ts';
import { ApiError, type KubernetesApi, type KubernetesObject } from './api.ts';
import { startKubeletServer, type KubeletCredentials } from './kubelet-server.ts';
import { containerOf, type Pod, type Volume } from './pod.ts';
import { processOf, readImage, type LocalImage } from './pod-process.ts';
import { statusOf, type PodState } from './pod-status.ts';
import { runPod, type RunningPod } from './run-pod.ts';
import { filesOf, sourceOf } from './volume-files.ts';

export type KubeletOptions = {
  api: KubernetesApi;
  node: string;
  credentials: KubeletCredentials;
  /** Where the files of the pods are. */
  dataDir: string;
  /** Null if there is no such image. */
  findImage: (image: { name: string; tag: string }) => LocalImage | null;
  /** Addresses of Services by name. */
  services: ReadonlyMap<string, string>;
  nextAddress: () => string;
  onSpawn: OnSpawn;
  log: (line: string) => void;
};
export type Kubelet = {
  node: string;
  /** The pods that were started here and are not gone yet, by name. */
  pods: ReadonlyMap<string, RunningPod>;
  /** Ends all pods at once. */
  close: () => Promise<void>;
};

const heartbeatMs = 10_000;

/** A node whose pods are processes of this machine. */
export async function startKubelet(options: KubeletOptions): Promise<Kubelet> {
  const { api, node, credentials, onSpawn, log } = options;
  const closing = new AbortController();
  const running = new Map<string, { name: string; pod: Promise<RunningPod | null>; isStopping: boolean }>();
  const started = new Map<string, RunningPod>();
  const server = await startKubeletServer({ credentials, pods: started, onSpawn });
  await registerNode(api, { name: node, port: server.port });
  const heartbeat = setInterval(
    () => void reportNode(api, { name: node, port: server.port }).catch(() => undefined),
    heartbeatMs,
  );

  /** Null if it cannot be started, which is reported. */
  async function start(pod: Pod): Promise<RunningPod | null> {
    const report = createReporter({ ...options, signal: closing.signal }, pod);
    try {
      const runs = await startPod(pod, { ...options, report });
      started.set(pod.metadata.name, runs);
      return runs;
    } catch (error) {
      log(`${pod.metadata.name} on ${node}: ${String(error)}`);
      const reason = error instanceof Unstartable ? error.reason : 'CreateContainerError';
      report(notStarted(pod, { reason, message: error instanceof Error ? error.message : String(error) }));
      return null;
    }
  }
  async function stop(pod: Pod): Promise<void> {
    const { uid, name, deletionGracePeriodSeconds = 0 } = pod.metadata;
    const found = running.get(uid);
    if (found?.isStopping) return;
    const ending = found?.pod ?? Promise.resolve(null);
    running.set(uid, { name, pod: ending, isStopping: true });
    await (await ending)?.stop(deletionGracePeriodSeconds);
    const body = { gracePeriodSeconds: 0, preconditions: { uid } };
    await api.call('DELETE', pathOf(pod), body).catch((error: unknown) => {
      if (!(error instanceof ApiError) || ![404, 409].includes(error.status)) log(`${name}: ${String(error)}`);
    });
  }
  async function end(uid: string): Promise<void> {
    const found = running.get(uid);
    running.delete(uid);
    await (await found?.pod)?.stop(0);
    if (found) started.delete(found.name);
  }
  api.follow<Pod>(`/api/v1/pods?fieldSelector=spec.nodeName=${node}`, {
    signal: closing.signal,
    onChange: (pods) => {
      for (const pod of pods.values()) {
        const { uid, name, deletionTimestamp } = pod.metadata;
        if (deletionTimestamp !== undefined) void stop(pod);
        else if (!running.has(uid)) running.set(uid, { name, pod: start(pod), isStopping: false });
      }
      for (const uid of running.keys()) if (!pods.has(uid)) void end(uid);
    },
  });
  return {
    node,
    pods: started,
    close: async () => {
      closing.abort();
      clearInterval(heartbeat);
      server.close();
      await Promise.all([...running.keys()].map(end));
    },
  };
}

const pathOf = ({ metadata }: Pod): string => `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;

/** Why a pod does not start, as a kubelet says it. */
class Unstartable extends Error {
  readonly reason: string;
  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

async function startPod(
  pod: Pod,
  options: KubeletOptions & { report: (state: PodState) => void },
): Promise<RunningPod> {
  const { api, dataDir, findImage, services, nextAddress, report, onSpawn } = options;
  const container = containerOf(pod);
  const folder = join(dataDir, pod.metadata.uid);
  const image = findImage(readImage(container.image));
  if (!image) throw new Unstartable('ErrImagePull', `there is no image ${container.image}`);
  rmSync(folder, { recursive: true, force: true });
  for (const volume of pod.spec.volumes ?? []) await writeVolume(volume, { api, pod, folder });
  const address = nextAddress();
  const process = processOf({ pod, address, folder, image, services });
  const logFile = join(dataDir, `${pod.metadata.name}.log`);
  return runPod({ pod, address, process, logFile, report, onSpawn });
}

type Keyed = { data?: Record<string, string> };

/** Writes the files of a Secret or ConfigMap. @throws Unstartable if it or one of its keys is missing, unless it is optional */
async function writeVolume(
  volume: Volume,
  { api, pod, folder }: { api: KubernetesApi; pod: Pod; folder: string },
): Promise<void> {
  const path = `/api/v1/namespaces/${pod.metadata.namespace}/${sourceOf(volume)}`;
  const found = await api.call<Keyed>('GET', path).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
  mkdirSync(join(folder, volume.name), { recursive: true, mode: 0o700 });
  try {
    for (const { path: name, content } of filesOf(volume, found?.data ?? {}))
      writeFileSync(join(folder, volume.name, name), content, { mode: 0o600 });
  } catch (error) {
    throw new Unstartable('FailedMount', error instanceof Error ? error.message : String(error));
  }
}

function notStarted(pod: Pod, waiting: { reason: string; message: string }): PodState {
  const { name, image } = pod.spec.containers[0] ?? { name: '', image: '' };
  const now = Date.now();
  return {
    address: '',
    createdAt: now,
    container: { name, image },
    restarts: 0,
    isStarted: false,
    isReady: false,
    readyChangedAt: now,
    now: { kind: 'waiting', ...waiting },
  };
}

/** Reports the newest state of a pod, one call after the other; what is older than the newest is not reported. */
function createReporter(
  { api, log, signal }: KubeletOptions & { signal: AbortSignal },
  pod: Pod,
): (state: PodState) => void {
  let newest: object | undefined;
  let reporting = false;
  async function report(): Promise<void> {
    if (reporting) return;
    reporting = true;
    while (newest && !signal.aborted) {
      const status = newest;
      newest = undefined;
      await api.call('PATCH', `${pathOf(pod)}/status`, { status }).catch((error: unknown) => {
        const isGone = error instanceof ApiError && error.status === 404;
        if (!isGone && !signal.aborted) log(`the status of ${pod.metadata.name} cannot be reported: ${String(error)}`);
      });
    }
    reporting = false;
  }
  return (state) => {
    newest = statusOf(state);
    void report();
  };
}

type Node = { name: string; port: number };

async function registerNode(api: KubernetesApi, node: Node): Promise<void> {
  const { name } = node;
  const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': `zone-of-${name}` };
  await api.call<KubernetesObject>('POST', '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
  });
  await reportNode(api, node);
}

function reportNode(api: KubernetesApi, { name, port }: Node): Promise<unknown> {
  const resources = { cpu: '64', memory: '64Gi', pods: '110', 'ephemeral-storage': '64Gi' };
  const lastHeartbeatTime = new Date().toISOString();
  const status = {
    capacity: resources,
    allocatable: resources,
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime }],
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    declaredFeatures: ['ExtendWebSocketsToKubelet'], // else the API server speaks SPDY with it
  };
  return api.call('PATCH', `/api/v1/nodes/${name}/status`, { status });
}
