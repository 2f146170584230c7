import type { KubernetesObject } from './api.ts';

/** What a pod's specification may have here: what the charts in deploy/helm use. */
export type Pod = KubernetesObject & {
  spec: {
    nodeName?: string;
    restartPolicy?: 'Always' | 'Never';
    terminationGracePeriodSeconds?: number;
    initContainers?: unknown[];
    hostNetwork?: boolean;
    containers: Container[];
    volumes?: Volume[];
  };
};
export type Container = {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  ports?: { name?: string; containerPort: number }[];
  env?: { name: string; value?: string; valueFrom?: unknown }[];
  envFrom?: unknown[];
  volumeMounts?: { name: string; mountPath: string }[];
  lifecycle?: { preStop?: { sleep?: { seconds: number }; exec?: unknown; httpGet?: unknown } };
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
};
export type Probe = {
  httpGet?: { path: string; port: string | number };
  periodSeconds?: number;
  timeoutSeconds?: number;
  failureThreshold?: number;
  successThreshold?: number;
  initialDelaySeconds?: number;
};
type Item = { key: string; path: string };
export type Volume = {
  name: string;
  secret?: { secretName: string; items?: Item[]; optional?: boolean };
  configMap?: { name: string; items?: Item[]; optional?: boolean };
};

/** The one container of a pod. @throws Error that names what this kubelet cannot do */
export function containerOf({ spec }: Pick<Pod, 'spec'>): Container {
  const [container, ...others] = spec.containers;
  if (!container || others.length > 0) throw new Error('a pod must have one container');
  const probes = [container.livenessProbe, container.readinessProbe, container.startupProbe];
  const { preStop } = container.lifecycle ?? {};
  const unknown = {
    initContainers: (spec.initContainers ?? []).length > 0,
    hostNetwork: spec.hostNetwork,
    'volumes that are neither secret nor configMap': spec.volumes?.some((each) => !each.secret && !each.configMap),
    envFrom: container.envFrom,
    'env.valueFrom': container.env?.some(({ valueFrom }) => valueFrom),
    'probes other than httpGet': probes.some((probe) => probe && !probe.httpGet),
    'preStop other than sleep': preStop && !preStop.sleep,
  };
  for (const [what, isThere] of Object.entries(unknown))
    if (isThere) throw new Error(`pods here cannot have ${what}; see packages/local-stack/src/kubernetes/pod.ts`);
  return container;
}

/** The port of a probe, which may be the name of one of the container. @throws Error if it has no such port */
export function portOf({ ports = [] }: Container, port: string | number): number {
  if (typeof port === 'number') return port;
  const found = ports.find(({ name }) => name === port);
  if (!found) throw new Error(`the container has no port ${port}`);
  return found.containerPort;
}
