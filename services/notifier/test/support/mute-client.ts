import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from '@comanda/testing/until';

/** Returns the bytes of a feed handshake from this address. */
export const handshakeFrom = (address: string, target = '/socket.io/?EIO=4&transport=websocket'): string =>
  [
    `GET ${target} HTTP/1.1`,
    'Host: notifier',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `X-Forwarded-For: ${address}`,
    '',
    '',
  ].join('\r\n');

/** A client that works with raw bytes and ignores the closing of its WebSocket and connection. */
export type MuteClient = {
  /** Returns all received bytes as latin1 text. */
  text: () => string;
  send: (packet: string) => void;
  /**
   * Waits until the connection is gone. The time limit is shorter than the time until the first ping (10 s) and until `ws` closes
   * the connection itself (30 s).
   */
  untilGone: (after?: string) => Promise<void>;
};

/** Encodes a client frame [RFC 6455, 5.2] with a zero mask. */
function frame(opcode: number, text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const lengths = length < 126 ? [0x80 | length] : [0xfe, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...lengths, 0, 0, 0, 0]), payload]);
}
const textOpcode = 1;
const pongOpcode = 10;

/** Opens a socket whose client responds neither to a close frame nor to the end of the connection. */
export async function openMuteClient(url: string, address = '127.0.0.1'): Promise<MuteClient> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  let isGone = false;
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => socket.destroy());
  socket.write(handshakeFrom(address));
  await once(socket, 'data');
  // Only a write distinguishes a closed connection from one whose other side has merely stopped sending.
  const probe = setInterval(() => socket.write(frame(pongOpcode, '')), 50);
  socket.once('close', () => {
    isGone = true;
    clearInterval(probe);
  });
  return {
    text: () => text,
    send: (packet) => void socket.write(frame(textOpcode, packet)),
    untilGone: async (after = 'nothing') => {
      await until(() => isGone, { what: `the connection to be gone after ${after}`, timeoutMs: 5000 });
    },
  };
}
