import { afterEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { isRunning } from '@comanda/local-stack/process-identity';
import { startOwnServer, type OwnServer } from './own-server.ts';

describe('startOwnServer', () => {
  let server: OwnServer;
  afterEach(() => server.discard());

  test('keeps acknowledged writes when MongoDB is killed and restarted', async () => {
    server = await startOwnServer('mongodb');
    await insert(server.url, 1);
    server = await killAndRestart(server);
    expect(await insert(server.url, 2)).toEqual([1, 2]);
  });

  test("keeps MongoDB's data when the port changes", async () => {
    server = await startOwnServer('mongodb');
    await insert(server.url, 1);
    await server.stop();
    const { port } = server;
    server = await server.startAgain({ port: 'another' });
    expect(server.port).not.toBe(port);
    expect(await insert(server.url, 2)).toEqual([1, 2]);
  });

  test("keeps Redis's keys across a restart", async () => {
    server = await startOwnServer('redis');
    await using(server.url, (redis) => redis.set('key', 'value'));
    await server.stop();
    server = await server.startAgain();
    expect(await using(server.url, (redis) => redis.get('key'))).toBe('value');
  });

  // Does not test RabbitMQ, because the tests with broken brokers already kill and restart it.
  test('starts a server that can be stopped even while it is frozen', async () => {
    server = await startOwnServer('redis');
    server.kill('SIGSTOP');
    await server.stop();
    expect(server.processes.filter(isRunning)).toEqual([]);
  });
});

async function killAndRestart(server: OwnServer): Promise<OwnServer> {
  server.kill('SIGKILL');
  await server.exited;
  return server.startAgain();
}

/** Inserts a number in a transaction, for which MongoDB must be a replica set. Returns all numbers inserted so far. */
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
