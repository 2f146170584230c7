import { createServer, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { importOf } from '@comanda/testing/service-here';
import { askedOfServer } from './protocol-cases.ts';

type Ack = (...values: unknown[]) => void;
type Written = (text: string | Uint8Array, options?: object) => void;
type Connection = {
  handshake: { auth: unknown };
  conn: { write: Written };
  emit: (name: string, ...values: unknown[]) => void;
  on: (name: string, listener: (...values: unknown[]) => void) => void;
};
type EngineConnection = {
  write: Written;
  on: (name: string, listener: (data: string | Uint8Array) => void) => void;
};
type SocketServer = {
  on: (name: 'connection', listener: (socket: Connection) => void) => void;
  of: (namespace: string) => Pick<SocketServer, 'on'>;
  engine: {
    on: (name: 'connection', listener: (socket: EngineConnection) => void) => void;
    removeAllListeners: (name: 'connection') => void;
  };
  close: () => Promise<void>;
};
type Packet = { text: string; options: object };
/** What the notifier's feed is made of: its Socket.IO server, and the frames that it makes once for all clients. */
type Notifier = {
  createSocketServer: (server: HttpServer, options: object) => SocketServer;
  sharedPacket: (entry: { packet: string }) => Packet;
};

async function importNotifier(): Promise<Notifier> {
  const { createSocketServer } = await importOf('notifier', 'src/connections/socket-server.ts');
  const { sharedPacket } = await importOf('notifier', 'src/connections/feed-connection.ts');
  return { createSocketServer, sharedPacket } as Notifier;
}

const isText = (value: unknown): boolean => !(value instanceof Uint8Array);

/** Answers as the suites of Socket.IO's protocol want, with packets that are written as the notifier writes events. */
function answerSocketIo(io: SocketServer, { sharedPacket }: Notifier): void {
  io.on('connection', (socket) => {
    socket.emit('auth', socket.handshake.auth);
    socket.on('message', (...values) => {
      if (!values.every(isText)) return socket.emit('message-back', ...values);
      const { text, options } = sharedPacket({ packet: `2${JSON.stringify(['message-back', ...values])}` });
      socket.conn.write(text, options);
    });
    socket.on('message-with-ack', (...values) => (values.at(-1) as Ack)(...values.slice(0, -1)));
  });
  io.of('/custom').on('connection', (socket) => socket.emit('auth', socket.handshake.auth));
}

/** Answers as the suites of Engine.IO's protocol want: below Socket.IO, which would not understand them. */
function answerEngineIo({ engine }: SocketServer): void {
  engine.removeAllListeners('connection');
  engine.on('connection', (socket) => socket.on('data', (data) => socket.write(data)));
}

export type ProtocolServer = { url: string; close: () => Promise<void> };
type Options = { speaks: 'Socket.IO' | 'Engine.IO'; transports: readonly ('websocket' | 'polling')[] };

/** A server that the notifier would make, if its users wanted what the suites want. */
export async function startProtocolServer({ speaks, transports }: Options): Promise<ProtocolServer> {
  const notifier = await importNotifier();
  const server = createServer();
  const io = notifier.createSocketServer(server, {
    ...askedOfServer,
    path: '/socket.io',
    transports,
    connectTimeout: 20_000, // a case waits for three pings, and does not connect
  });
  if (speaks === 'Socket.IO') answerSocketIo(io, notifier);
  else answerEngineIo(io);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => io.close() };
}
