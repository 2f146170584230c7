import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { textFrame } from './text-frame.ts';

let server: Server;
let next: Buffer;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.once('data', (request) => {
      const [, key = ''] = /sec-websocket-key: (\S+)/i.exec(request.toString()) ?? [];
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      socket.write(next);
      socket.once('data', () => socket.destroy()); // the client closes
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

test.each([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])(
  'a WebSocket client decodes a text of %i bytes from its frame',
  async (length) => {
    const text = `${'é'.repeat(Math.floor(length / 2))}${length % 2 === 1 ? 'x' : ''}`;
    next = textFrame(text);
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      const [{ data }] = (await once(client, 'message')) as [MessageEvent];

      expect(Buffer.byteLength(text)).toBe(length);
      expect(data).toBe(text);
    } finally {
      const closed = once(client, 'close');
      client.close();
      await closed;
    }
  },
);
