import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { OnSpawn } from '../servers/server-process.ts';
import { execInPod, execProtocol } from './pod-exec.ts';
import { answerLogs } from './pod-logs.ts';
import type { RunningPod } from './run-pod.ts';

/** The certificate of kubelets, and the authority that has signed it and that of the API server, in PEM. */
export type KubeletCredentials = { cert: string; key: string; ca: string };
type Options = { credentials: KubeletCredentials; pods: ReadonlyMap<string, RunningPod>; onSpawn: OnSpawn };

/**
 * What the API server asks a node for: `kubectl logs` and `kubectl exec`. Only who has a certificate of the authority is answered.
 */
export async function startKubeletServer({ credentials, pods, onSpawn }: Options) {
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has(execProtocol) ? execProtocol : false),
  });
  const server = createServer({ ...credentials, requestCert: true }, (request, answer) => {
    const asked = read(request);
    const pod = pods.get(asked.name);
    if (asked.what !== 'containerLogs') answer.writeHead(404).end(`this kubelet has no ${asked.what}`);
    else if (!pod) answer.writeHead(404).end(`the pod ${asked.name} was not started`);
    else answerLogs(pod, asked.query, answer).catch(() => answer.destroy());
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { what, name, query } = read(request);
    const pod = pods.get(name);
    if (what !== 'exec' || !pod)
      socket.end(`HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\nthe pod ${name} was not started`);
    else
      sockets.handleUpgrade(request, socket, head, (opened) =>
        execInPod({ name, pod, query }, { socket: opened, onSpawn }),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: (): void => {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The parts of `/exec/NAMESPACE/POD/CONTAINER?command=…`. */
function read({ url = '/' }: IncomingMessage): { what: string; name: string; query: URLSearchParams } {
  const { pathname, searchParams } = new URL(url, 'https://kubelet');
  const [, what = '', , name = ''] = pathname.split('/');
  return { what, name, query: searchParams };
}
