import { once } from 'node:events';
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Front = { url: string; close: () => Promise<void> };

/**
 * What an Ingress controller does for a service: it ends TLS (here it only says so), adds where a client comes from, and
 * keeps connections to the service. It repeats nothing. Each connection counts as a client of its own.
 */
export async function startFront(target: () => { host: string; port: number }): Promise<Front> {
  // Idle for less time than a gateway that stops waits for its last requests.
  const agent = new Agent({ keepAlive: true, timeout: 4_000 });
  const addresses = new WeakMap<Socket, string>();
  const sockets = new Set<Socket>();
  let clients = 0;
  const toUpstream = (incoming: IncomingMessage): RequestOptions & { headers: OutgoingHttpHeaders } => ({
    ...target(),
    method: incoming.method,
    path: incoming.url,
    headers: {
      ...incoming.headers,
      host: 'menu.example.com',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': addresses.get(incoming.socket) ?? '',
    },
  });
  const server = createServer((incoming, answer) => {
    const options = toUpstream(incoming);
    const { connection: _, ...headers } = options.headers;
    const outgoing = request({ ...options, agent, headers });
    outgoing.on('response', (upstream) => {
      const { connection: __, 'keep-alive': ___, ...rest } = upstream.headers;
      answer.writeHead(upstream.statusCode ?? 502, rest);
      upstream.pipe(answer);
      upstream.on('error', () => answer.destroy());
    });
    outgoing.on('error', (error) => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(`the front got no answer: ${error.message}`);
    });
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.keepAliveTimeout = 0; // one that ends just as a client sends would look like a failure of a service
  server.on('connection', (socket: Socket) => {
    clients++;
    addresses.set(socket, `203.0.${Math.floor(clients / 250) % 250}.${(clients % 250) + 1}`);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  server.on('upgrade', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    const outgoing = request({ ...toUpstream(incoming), agent: false });
    const fail = (): void => void client.destroy();
    outgoing.on('error', fail).on('response', fail).end();
    outgoing.on('upgrade', (answer, upstream, rest) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`);
      client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      client.write(rest);
      upstream.write(head);
      client.pipe(upstream).pipe(client);
      upstream.on('error', fail).on('close', fail);
      client.on('close', () => upstream.destroy());
    });
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 });
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      await once(server, 'close');
    },
  };
}
