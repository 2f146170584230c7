// A baseline in order-to-kitchen, which consumes an AMQP queue and pushes each message over a raw WebSocket. Needs RABBITMQ_URL.
// Prints its URL.
import { connect } from 'amqplib';
import { WebSocketServer } from 'ws';
import { env } from './tokens.ts';

const connection = await connect(env('RABBITMQ_URL'));
const channel = await connection.createChannel();
await channel.assertExchange('raw', 'topic', { durable: true });
const { queue } = await channel.assertQueue('', { exclusive: true });
await channel.bindQueue(queue, 'raw', '#');
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
await channel.consume(
  queue,
  (message) => {
    if (!message) return;
    const text = message.content.toString();
    for (const client of server.clients) client.send(text);
  },
  { noAck: true },
);
console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
