import { EventEmitter, once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { untilDrained } from './backlog.ts';
import type { FeedSocket } from './socket-types.ts';

let server: Server;
let reader: Socket;
let writer: Socket;
beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  reader = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  [writer] = await accepted;
});
afterAll(async () => {
  reader.destroy();
  writer.destroy();
  server.close();
  await once(server, 'close');
});

/** Reads a little at a time, like a client on a slow connection. */
async function readSlowly(isOver: () => boolean): Promise<number> {
  let pauses = 0;
  for (; !isOver(); pauses++) {
    reader.read(256 * 1024);
    await pause(200);
  }
  return pauses;
}

test("a client isn't cut off while one large write keeps making progress, even beyond the time limit", async () => {
  const transport = new EventEmitter();
  const conn = { writeBuffer: [], request: { socket: writer }, transport };
  const socket = { conn } as unknown as FeedSocket;
  let isDrained = false;
  let stuck = 0;
  // The operating system's buffers take part of the data immediately.
  writer.write(Buffer.alloc(24 * 1024 * 1024), () => transport.emit('ready'));
  const reading = readSlowly(() => isDrained || stuck > 0);

  await untilDrained(socket, { signal: new AbortController().signal, onStuck: () => stuck++ });
  isDrained = true;
  const pauses = await reading;

  expect(stuck).toBe(0);
  expect(pauses * 200).toBeGreaterThan(5000);
});
