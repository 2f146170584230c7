// Pushes order events to every WebSocket, like the notifier. Needs RABBITMQ_URL and JWKS_URL.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'amqplib';
import { WebSocketServer } from 'ws';
import { env, fetchKeys, verifyToken } from './tokens.ts';

const keys = await fetchKeys(env('JWKS_URL'));
const rabbitmq = await connect(env('RABBITMQ_URL'));
const channel = await rabbitmq.createChannel();
await channel.assertExchange('peer.orders', 'topic', { durable: true });
const { queue } = await channel.assertQueue('', { exclusive: true });
await channel.bindQueue(queue, 'peer.orders', '#');
const server = new WebSocketServer({
  port: 0,
  host: '127.0.0.1',
  perMessageDeflate: false,
  verifyClient: ({ req }: { req: IncomingMessage }) => {
    try {
      verifyToken(keys, (req.headers.authorization ?? '').replace('Bearer ', ''), 'comanda');
      return true;
    } catch {
      return false;
    }
  },
});
await once(server, 'listening');
await channel.consume(
  queue,
  (message) => {
    if (!message) return;
    const text = message.content.toString();
    for (const client of server.clients) client.send(text);
  },
  { noAck: true },
);
console.log(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
