import { afterEach, describe, expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { isRunning } from '@comanda/local-stack/servers/process-identity';
import { rabbitmqctl } from './own-broker.ts';
import { startOwnServer, type OwnServer } from './own-server.ts';
import { until } from './until.ts';

describe('startOwnServer', () => {
  let server: OwnServer;
  afterEach(() => server.discard());

  test('when MongoDB is killed and restarted, then acknowledged writes are kept and transactions work', async () => {
    server = await startOwnServer('mongodb');
    await insert(server.url, 1);
    server = await killAndRestart(server);
    expect(await insert(server.url, 2)).toEqual([1, 2]);
  }, 60_000);

  test('when MongoDB is restarted on another port, then its data is kept', async () => {
    server = await startOwnServer('mongodb');
    await insert(server.url, 1);
    await server.stop();
    const { port } = server;
    server = await server.startAgain({ port: 'another' });
    expect(server.port).not.toBe(port);
    expect(await insert(server.url, 2)).toEqual([1, 2]);
  }, 60_000);

  test('when Redis is stopped and restarted, then its keys are kept', async () => {
    server = await startOwnServer('redis');
    await using(server.url, (redis) => redis.set('key', 'value'));
    await server.stop();
    server = await server.startAgain();
    expect(await using(server.url, (redis) => redis.get('key'))).toBe('value');
  });

  test('when RabbitMQ is killed and started again, then confirmed messages are there; frozen, it can be ended', async () => {
    server = await startOwnServer('rabbitmq');
    await publish(server.url);
    // A broker tells that a queue is there before it has written so.
    await rabbitmqctl(server, ['eval', 'dumped = mnesia:dump_log().']);
    server = await killAndRestart(server);
    const { url } = server;
    // A broker that has just started may not have its queues yet.
    await until(async () => (await messages(url).catch(() => null)) === 1, { what: 'the message', timeoutMs: 20_000 });
    server.kill('SIGSTOP');
    await server.stop();
    expect(server.processes.filter(isRunning)).toEqual([]);
  }, 90_000);
});

async function killAndRestart(server: OwnServer): Promise<OwnServer> {
  server.kill('SIGKILL');
  await server.exited;
  return server.startAgain();
}

/** Inserts a number in a transaction, which needs a replica set, and returns all numbers. */
async function insert(url: string, number: number): Promise<number[]> {
  const client = new MongoClient(url);
  try {
    const numbers = client.db('test').collection<{ _id: number }>('numbers');
    await client.withSession((session) =>
      session.withTransaction(() => numbers.insertOne({ _id: number }, { session })),
    );
    const all = await numbers.find().toArray();
    return all.map(({ _id }) => _id);
  } finally {
    await client.close();
  }
}

async function using<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

async function publish(url: string): Promise<void> {
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue('orders', { durable: true });
  channel.sendToQueue('orders', Buffer.from('1'), { persistent: true });
  await channel.waitForConfirms();
  await connection.close();
}

async function messages(url: string): Promise<number> {
  const connection = await connect(url);
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined); // the promise says it
    const { messageCount } = await channel.checkQueue('orders');
    return messageCount;
  } finally {
    await connection.close();
  }
}
