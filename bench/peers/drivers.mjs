// The baseline in idle-memory: only Node with an HTTP server and a service's drivers, connected to the servers in the service's
// settings. It is JavaScript, like the code in an image. Usage: drivers.mjs <service>
import { once } from 'node:events';
import { connect } from 'amqplib';
import express from 'express';

const [service] = process.argv.slice(2);
const { MONGODB_URI, REDIS_URL, RABBITMQ_URL } = process.env;
if (MONGODB_URI) {
  const { default: mongoose } = await import('mongoose');
  await mongoose.connect(MONGODB_URI, { dbName: 'peer' });
}
if (REDIS_URL) {
  const { Redis } = await import('ioredis');
  await new Redis(REDIS_URL).ping();
}
if (RABBITMQ_URL) await (await connect(RABBITMQ_URL)).createConfirmChannel();
if (service === 'gateway') await import('undici');
const server = express().listen(0, '127.0.0.1');
await once(server, 'listening');
if (service === 'notifier') {
  const { Server } = await import('socket.io');
  new Server().attach(server);
}
globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }); // the services do the same once they are ready
console.log(`http://127.0.0.1:${server.address().port}`);
