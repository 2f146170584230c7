import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Arrived = {
  method: string;
  url: string;
  headers: Record<string, string[]>;
  body: string;
  aborted: boolean;
};

/** A service behind the gateway that responds as the test defines. By default, it echoes the request. */
export type Peer = {
  url: string;
  arrived: Arrived[];
  response: RequestListener;
  /** Returns the number of connections so far. */
  connections: () => number;
  close: () => Promise<void>;
};

export const echo = (req: IncomingMessage, res: ServerResponse, body = ''): void => {
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body }));
};

export async function startPeer(): Promise<Peer> {
  let connections = 0;
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0 }, (req, res) => {
    const arrived: Arrived = {
      method: req.method ?? '',
      url: req.url ?? '',
      headers: req.headersDistinct as Record<string, string[]>,
      body: '',
      aborted: false,
    };
    peer.arrived.push(arrived);
    res.once('close', () => (arrived.aborted = !res.writableFinished));
    req.on('data', (chunk: Buffer) => (arrived.body += chunk.toString('latin1')));
    if (peer.response !== echo) return peer.response(req, res);
    req.on('end', () => echo(req, res, arrived.body));
  });
  server.on('connection', () => connections++);
  const peer: Peer = {
    url: await listen(server),
    arrived: [],
    response: echo,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      await end(server);
    },
  };
  return peer;
}

/** Starts a peer that works on raw connections. `talk` receives each connection with its first bytes. */
export async function startRawPeer(
  talk: (socket: Socket, head: string) => void,
): Promise<{ url: string; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
    socket.once('data', (head: Buffer) => talk(socket, head.toString('latin1')));
  });
  const url = await listen(server);
  return {
    url,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await end(server);
    },
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function end(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}
