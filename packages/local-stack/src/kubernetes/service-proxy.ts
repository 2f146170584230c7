import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { onThisMachine } from './addresses.ts';
import type { KubernetesApi, KubernetesObject } from './api.ts';

type Service = KubernetesObject & { spec: { clusterIP?: string; ports?: { name?: string; port: number }[] } };
type EndpointSlice = KubernetesObject & {
  ports?: { name?: string; port: number }[];
  endpoints?: { addresses: string[]; conditions?: { ready?: boolean; serving?: boolean } }[];
};
type Port = { service: string; name: string };

export type ServiceProxy = {
  /** The addresses of Services by name. */
  services: ReadonlyMap<string, string>;
  /** How many pods of a Service get new connections now. */
  endpointsOf: (service: string) => number;
  close: () => Promise<void>;
};
type Options = {
  api: KubernetesApi;
  namespace: string;
  /** How late it learns which pods are ready: the time of the slowest node. */
  lateMs: number;
};

/**
 * What kube-proxy does: a connection to a Service goes to one of its ready pods, and to one that stops but still serves if
 * none is ready. It neither repeats a connection that fails nor ends one when its pod is no longer ready.
 */
export function startServiceProxy({ api, namespace, lateMs }: Options): ServiceProxy {
  const closing = new AbortController();
  const services = new Map<string, string>();
  const servers = new Map<string, Server>();
  const sockets = new Set<Socket>();
  let slices: readonly EndpointSlice[] = [];
  let turn = 0;

  const targetsOf = ({ service, name }: Port): Target[] => targetsIn(slices, { service, name });
  function open(address: string, port: number, of: Port): void {
    const key = `${address}:${port}`;
    if (servers.has(key)) return;
    const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
      const targets = targetsOf(of);
      const target = targets[turn++ % targets.length];
      if (target) join(client, target, sockets);
      else client.resetAndDestroy();
    });
    servers.set(key, server);
    server.listen({ host: onThisMachine(address), port, backlog: 2048 });
  }
  const base = `/namespaces/${namespace}`;
  api.follow<Service>(`/api/v1${base}/services`, {
    signal: closing.signal,
    onChange: (found) => {
      for (const { metadata, spec } of found.values()) {
        const { clusterIP = 'None' } = spec;
        if (clusterIP === 'None') continue;
        services.set(metadata.name, clusterIP);
        for (const { port, name = '' } of spec.ports ?? []) open(clusterIP, port, { service: metadata.name, name });
      }
    },
  });
  api.follow<EndpointSlice>(`/apis/discovery.k8s.io/v1${base}/endpointslices`, {
    signal: closing.signal,
    onChange: (found) => {
      const all = [...found.values()];
      setTimeout(() => (slices = all), lateMs);
    },
  });
  return {
    services,
    endpointsOf: (service) => targetsOf({ service, name: 'http' }).length,
    close: async () => {
      closing.abort();
      for (const server of servers.values()) server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all([...servers.values()].map((server) => once(server, 'close')));
    },
  };
}

type Target = { host: string; port: number };
/** Where a connection to a port of a Service may go. */
export function targetsIn(slices: readonly EndpointSlice[], { service, name }: Port): Target[] {
  const found = slices
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === service)
    .flatMap(({ endpoints, ports }) => {
      const port = ports?.find((each) => (each.name ?? '') === name)?.port;
      return (endpoints ?? []).map(({ addresses, conditions }) => ({ host: addresses[0], port, ...conditions }));
    });
  const ready = found.filter((each) => each.ready);
  return (ready.length > 0 ? ready : found.filter((each) => each.serving)).flatMap(({ host, port }) =>
    host !== undefined && port !== undefined ? [{ host: onThisMachine(host), port }] : [],
  );
}

/** Passes on what both sides write, until both have ended or one breaks. */
function join(client: Socket, target: Target, sockets: Set<Socket>): void {
  const upstream = connect({ ...target, noDelay: true, allowHalfOpen: true });
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(socket);
    socket.on('error', () => other.resetAndDestroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }
  client.pipe(upstream);
  upstream.pipe(client);
}
