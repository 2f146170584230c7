// The peer in order-to-kitchen: a process that reads an AMQP queue and pushes each message over a raw WebSocket.
// Usage: raw-feed.ts <amqp url>; prints its port.
import { connect } from 'amqplib';
import { WebSocketServer } from 'ws';

const [url = ''] = process.argv.slice(2);
const connection = await connect(url);
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
console.log((server.address() as { port: number }).port);
