// A process with many clients. They are raw sockets that only count frames, so the figures show the server's performance. The
// parent process sends `{ url, sockets, token?, after?, events, reconnects?, timed? }` over IPC. This process sends `open` when
// all sockets are open, and `done` when each socket has received `events` events. With `reconnects`, it reopens a closed socket
// after 1 to 3 s, and sends `open` again when all are open. With `timed`, it responds to `{ sentAt }`, the sending times of the
// events, with `{ latencies }`, the number of deliveries by latency in milliseconds.
import { randomBytes } from 'node:crypto';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type ClientsOrder = {
  url: string;
  sockets: number;
  token?: string;
  after?: string;
  events: number;
  reconnects?: boolean;
  timed?: boolean;
};
/** How many sockets are opened at a time: no more than fit into a server's accept queue. */
const openedAtOnce = 250;
const openingPauseMs = 100;

/** Returns milliseconds since the epoch, on a clock that all processes on this machine share. */
const now = (): number => performance.timeOrigin + performance.now();

/** Creates a masked text frame of up to 64 KB, as clients must send it [RFC 6455]. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([
    Buffer.from([0x81, ...length]),
    mask,
    payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)),
  ]);
}

/** Returns a data handler that calls `onFrame` for each frame with the beginning of its payload. */
function readFrames(onFrame: (start: string) => void): (data: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (data) => {
    let buffer: Buffer = rest.length > 0 ? Buffer.concat([rest, data]) : data;
    for (;;) {
      if (buffer.length < 2) break;
      const short = (buffer[1] ?? 0) & 127;
      const header = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (buffer.length < header) break;
      const size = short < 126 ? short : short === 126 ? buffer.readUInt16BE(2) : Number(buffer.readBigUInt64BE(2));
      if (buffer.length < header + size) break;
      onFrame(buffer.toString('latin1', header, header + Math.min(size, 12)));
      buffer = buffer.subarray(header + size);
    }
    rest = buffer;
  };
}

function open(order: ClientsOrder, on: { open: () => void; event: () => void }): Socket {
  const { hostname, port } = new URL(order.url);
  const socketIo = order.token !== undefined;
  const socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
  const path = socketIo ? '/socket.io/?EIO=4&transport=websocket' : '/';
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  const { token, after } = order;
  let isOpen = false;
  const read = readFrames((start) => {
    if (!socketIo || start.startsWith('42["event"')) on.event();
    else if (start.startsWith('0')) socket.write(frame(`40${JSON.stringify({ token, after })}`));
    else if (start.startsWith('2')) socket.write(frame('3'));
    else if (start.startsWith('44')) throw new Error(`refused: ${start}`);
    else if (start.startsWith('42["feed"') && !isOpen) {
      isOpen = true;
      on.open();
    }
  });
  let head: Buffer | null = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    if (!head) return read(data);
    head = Buffer.concat([head, data]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const rest = head.subarray(end + 4);
    head = null;
    if (!socketIo) on.open();
    return read(rest);
  });
  return socket;
}

/** The arrival times of each event at each socket, in milliseconds since the epoch. */
const arrivals: number[][] = [];

async function follow(order: ClientsOrder): Promise<void> {
  let opened = 0;
  let done = 0;
  const openOne = (): void => {
    let events = 0;
    let isOpen = false;
    const onOpen = (): void => {
      isOpen = true;
      if (++opened === order.sockets) process.send?.('open');
    };
    const onEvent = (): void => {
      if (order.timed) (arrivals[events] ??= []).push(now());
      if (++events === order.events && ++done === order.sockets) process.send?.('done');
    };
    const socket = open(order, { open: onOpen, event: onEvent });
    if (!order.reconnects) return;
    socket.on('error', () => undefined); // a `close` event follows
    socket.on('close', () => {
      if (isOpen) opened--;
      setTimeout(openOne, 1000 + Math.random() * 2000);
    });
  };
  for (let index = 0; index < order.sockets; index++) {
    if (index > 0 && index % openedAtOnce === 0) await pause(openingPauseMs);
    openOne();
  }
}

function latencies(sentAt: readonly (number | null)[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const [event, times] of arrivals.entries()) {
    const sent = sentAt[event] ?? null;
    if (sent === null) continue;
    for (const time of times) {
      const took = Math.round(time - sent);
      counts[took] = (counts[took] ?? 0) + 1;
    }
  }
  return counts;
}

process.on('message', (message: ClientsOrder | { sentAt: (number | null)[] }) => {
  if ('sentAt' in message) process.send?.({ latencies: latencies(message.sentAt) });
  else void follow(message);
});
