import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createPodAddresses, onThisMachine } from '@comanda/local-stack/kubernetes/addresses';
import type { KubernetesApi } from '@comanda/local-stack/kubernetes/api';
import { startControlPlane } from '@comanda/local-stack/kubernetes/control-plane';
import { startKubelet } from '@comanda/local-stack/kubernetes/kubelet';
import { startServiceProxy, type ServiceProxy } from '@comanda/local-stack/kubernetes/service-proxy';
import type { Reaper } from '@comanda/local-stack/reaper/start-reaper';
import { programsDir } from '@comanda/local-stack/root';
import { newSecrets } from '@comanda/local-stack/secrets';
import { lastLines, run } from '@comanda/local-stack/servers/command';
import { startEphemeralServers, type ServerUrls } from '@comanda/local-stack/servers/ephemeral-servers';
import type { OnSpawn } from '@comanda/local-stack/servers/server-process';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { writeEnvironment, writeSecrets } from './environment.ts';
import { startFront, type Front } from './front.ts';
import { createImages, type Images } from './images.ts';

export const namespace = 'comanda';
const nodes = ['node-1', 'node-2', 'node-3'];
/** How late the proxy of Services learns of a change: a node that is slow. */
const proxyLateMs = 1_000;

type Command = (...args: readonly string[]) => Promise<{ code: number; output: string }>;
export type Lab = {
  api: KubernetesApi;
  kubeconfig: string;
  /** @throws Error if it ends with another code than 0 */
  kubectl: (...args: readonly string[]) => Promise<string>;
  helm: Command;
  images: Images;
  proxy: ServiceProxy;
  fronts: Record<'gateway' | 'notifier', Front>;
  servers: ServerUrls;
  /** Files: the values of all releases, and the folder with the secrets of each service. */
  environment: string;
  secretsFolder: string;
  /** What the pods of a service wrote, those that are gone included. */
  logOf: (pod: string) => string;
  close: () => Promise<void>;
};
export type LabOptions = {
  /** The program of deploy/lab, and helm. */
  programs: { kubernetes: string; helm: string };
  dataDir: string;
  reaper: Reaper;
  log: (line: string) => void;
  /** Ends the pods and all that would start them again. */
  signal: AbortSignal;
};

/** Starts a cluster with a namespace for Comanda and its Secrets. Nothing is installed. */
export async function startLab(options: LabOptions): Promise<Lab> {
  const lab = await startCluster(options);
  await lab.kubectl('create', 'namespace', namespace);
  await lab.kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted');
  for (const service of serviceNames)
    await lab.kubectl(
      'create',
      'secret',
      'generic',
      `comanda-${service}`,
      `--from-file=${lab.secretsFolder}/${service}`,
    );
  return lab;
}

/** Starts servers, the control plane and three nodes. In the cluster is nothing, beside it are the files that it needs. */
export async function startCluster({ programs, dataDir, reaper, log, signal }: LabOptions): Promise<Lab> {
  const onSpawn: OnSpawn = (spawned) => reaper.track({ ...spawned, stop: 'kill' });
  const path = (name: string): string => join(dataDir, name);
  const [servers, { api, kubeconfig, kubelets: credentials }] = await Promise.all([
    startServers({ dataDir: path('servers'), reaper, log }),
    startControlPlane({ program: programs.kubernetes, dataDir: path('control-plane'), onSpawn }),
  ]);
  log('the control plane and the servers are ready');
  const images = createImages(path('images'));
  const proxy = startServiceProxy({ api, namespace, lateMs: proxyLateMs });
  const nextAddress = createPodAddresses();
  const common = {
    api,
    credentials,
    dataDir: path('pods'),
    findImage: images.find,
    services: proxy.services,
    nextAddress,
    onSpawn,
    log,
  };
  const kubelets = await Promise.all(nodes.map((node) => startKubelet({ ...common, node })));
  const env = { ...process.env, KUBECONFIG: kubeconfig, ...helmHome(path('helm')) };
  const kubectl = async (...args: readonly string[]): Promise<string> => {
    const { code, output } = await run({ command: programs.kubernetes, args: ['kubectl', ...args], env });
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} failed:\n${lastLines(output)}`);
    return output;
  };
  await writeSecrets({ folder: path('secrets'), servers, secrets: newSecrets() });
  writeEnvironment(path('environment.yaml'));
  const front = (service: string, port: number): Promise<Front> =>
    startFront(() => ({ host: onThisMachine(proxy.services.get(service) ?? ''), port }));
  const fronts = { gateway: await front('gateway', 3000), notifier: await front('notifier', 3004) };
  async function close(): Promise<void> {
    await Promise.all([fronts.gateway.close(), fronts.notifier.close(), ...kubelets.map((kubelet) => kubelet.close())]);
    await proxy.close();
    api.close();
  }
  signal.addEventListener('abort', () => void close());
  return {
    api,
    kubeconfig,
    kubectl,
    helm: (...args) => run({ command: programs.helm, args, env }),
    images,
    proxy,
    fronts,
    servers,
    environment: path('environment.yaml'),
    secretsFolder: path('secrets'),
    logOf: (pod) => path(join('pods', `${pod}.log`)),
    close,
  };
}

/** helm keeps nothing in the home of the user. */
const helmHome = (folder: string): Record<string, string> =>
  Object.fromEntries(['CACHE', 'CONFIG', 'DATA'].map((name) => [`HELM_${name}_HOME`, folder]));

/** In production, services refuse the account that everybody knows. */
async function startServers(options: {
  dataDir: string;
  reaper: Reaper;
  log: (line: string) => void;
}): Promise<ServerUrls> {
  const urls = await startEphemeralServers({ ...options, given: {}, programsDir });
  const management = new URL(urls.RABBITMQ_MANAGEMENT_URL);
  const password = randomBytes(12).toString('hex');
  async function put(path: string, body: object): Promise<void> {
    const credentials = Buffer.from(`${management.username}:${management.password}`).toString('base64');
    const headers = { authorization: `Basic ${credentials}`, 'content-type': 'application/json' };
    const answer = await fetch(`${management.origin}/api/${path}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`RabbitMQ answered PUT ${path} with ${answer.status}`);
  }
  await put('users/comanda', { password, tags: '' });
  await put('permissions/%2F/comanda', { configure: '.*', write: '.*', read: '.*' });
  const url = new URL(urls.RABBITMQ_URL);
  return { ...urls, RABBITMQ_URL: `amqp://comanda:${password}@${url.host}` };
}
