import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { NothingWritten } from '@comanda/contracts/problem';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { asProblem } from '../http/problem-handler.ts';
import { createLogger } from '../runtime/logger.ts';
import { connectMongo, mongoProblem, unwrapped, type MongoLink } from './connection.ts';
import { createTransactions, type Session } from './transactions.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
let server: OwnServer;
let link: MongoLink;
beforeAll(async () => {
  server = await startOwnServer('mongodb');
  link = connectMongo({
    uri: server.url,
    database: 'connection-test',
    logger,
    onConnect: () => Promise.resolve(),
  });
  await until(link.isUp, { what: 'MongoDB to be ready' });
});
afterAll(async () => {
  await link.close();
  await server.discard();
});

test('every operation fails with 503 immediately if no server can be reached', async () => {
  const unconnected = connectMongo({
    uri: 'mongodb://127.0.0.1:9/?replicaSet=none',
    database: 'connection-test',
    logger,
    onConnect: () => Promise.resolve(),
  });
  const things = unconnected.connection.collection('things');
  const failures = await Promise.all([
    failure(() => things.findOne({})),
    failure(async () => things.find({}).toArray()),
    failure(() => things.insertOne({})),
    failure(() => things.bulkWrite([{ insertOne: { document: {} } }])),
  ]);
  await unconnected.close();

  expect(failures.map(({ code }) => code)).toEqual(failures.map(() => 'service_unavailable'));
  // This error shows that the operation did not wait for a server.
  expect(failures.map(({ name }) => name)).toEqual(failures.map(() => 'MongooseError'));
});

type Failure = { name: string; code: string | undefined };
async function failure(operation: () => Promise<unknown>): Promise<Failure> {
  try {
    await operation();
  } catch (error) {
    return { name: (error as Error).name, code: mongoProblem(error)?.code };
  }
  throw new Error('the operation succeeded');
}

test('every operation fails with 503 while the server is frozen', async () => {
  const things = link.connection.collection<{ _id: number }>('things');
  await things.insertOne({ _id: 1 });
  server.kill('SIGSTOP');
  // The server may still respond for a moment, because the signal is delivered asynchronously.
  await until(async () => (await Promise.race([things.findOne({}), later(100)])) === 'late', {
    what: 'the server to freeze',
  });
  const failures: Failure[] = [];
  for (let round = 0; round < 3; round++) {
    failures.push(
      ...(await Promise.all([
        failure(() => things.findOne({})),
        failure(() => things.insertOne({ _id: 2 + round })),
        failure(() => things.countDocuments()),
      ])),
    );
  }
  const isUpWhileFrozen = link.isUp();

  server.kill('SIGCONT');
  await until(link.isUp, { what: 'the connection to recover' });

  expect(failures.map(({ code }) => code)).toEqual(failures.map(() => 'service_unavailable'));
  expect(isUpWhileFrozen).toBe(false);
  expect(await things.findOne({ _id: 1 })).toEqual({ _id: 1 });
});

test('every failure is a 503 if the server is killed during bulk writes, with or without transactions', async () => {
  const things = link.connection.collection<{ _id: number; n?: number }>('things');
  await things.insertMany(clientIds.map((_id) => ({ _id })));
  const transactions = createTransactions({ ...link, logger });
  const failures: unknown[] = [];
  const load = { isRunning: true };
  const write = (_id: number, options = {}) =>
    things.bulkWrite([{ updateOne: { filter: { _id }, update: { $inc: { n: 1 } } } }], options);
  const runClient = async (_id: number): Promise<void> => {
    const writeOnce = (): Promise<unknown> =>
      _id % 2 === 0
        ? write(_id)
        : transactions.run({ deadline: performance.now() + 1000 }, (session) => write(_id, { session }));
    while (load.isRunning) {
      const failed = await writeOnce().then(
        () => null,
        (error: unknown) => ({ error }),
      );
      if (failed) failures.push(failed.error);
      // Shows that failing operations do not block the event loop.
      await later(1);
    }
  };
  const clients = Promise.all(clientIds.map(runClient));
  const wasInterrupted = (): boolean => failures.some((error) => unwrapped(error) !== error);
  for (let kill = 0; kill < 20 && !wasInterrupted(); kill++) {
    await until(link.isUp, { what: 'the server to be up' });
    await things.findOne({ _id: 1000 });
    server.kill('SIGKILL');
    await server.exited;
    server = await server.startAgain();
  }
  load.isRunning = false;
  await clients;
  await until(link.isUp, { what: 'the server to be up' });
  await transactions.close();

  expect(wasInterrupted()).toBe(true);
  expect(failures.filter((error) => asProblem(error, [mongoProblem]).code !== 'service_unavailable')).toEqual([]);
});

test('the connection recovers, and transactions succeed, after the server went down during preparation', async () => {
  const preparing = { times: 0 };
  const own = connectMongo({
    uri: server.url,
    database: 'connection-test',
    logger,
    onConnect: async (connection) => {
      if (preparing.times++ === 0) {
        server.kill('SIGKILL');
        await server.exited;
      }
      await connection.collection('prepared').createIndex({ n: 1 });
    },
  });
  // Waits long enough for further attempts to fail.
  await until(() => preparing.times > 2, { what: 'another attempt to prepare' });
  await later(2000);
  server = await server.startAgain();
  await until(own.isUp, { what: 'the stores to be prepared' });
  const transactions = createTransactions({ ...own, logger });
  const prepared = own.connection.collection<{ n: number }>('prepared');
  const write = async (session: Session) => (await prepared.insertOne({ n: 1 }, { session })).acknowledged;
  const written = await transactions
    .run({ deadline: performance.now() + 1000 }, write)
    .catch((error: unknown) => error);
  await transactions.close();
  await own.close();

  expect(written).toBe(true);
});

test('a write that would make a document too large fails with 503 and is known not to have been written', async () => {
  await until(link.isUp, { what: 'the server to be up' });
  const things = link.connection.collection<{ parts: string[] }>('large');
  const { insertedId: _id } = await things.insertOne({ parts: ['x'.repeat(9_000_000)] });

  const error = await things.updateOne({ _id }, { $push: { parts: 'x'.repeat(9_000_000) } }).catch((e: unknown) => e);

  expect(mongoProblem(error)).toBeInstanceOf(NothingWritten);
  expect(mongoProblem(error)?.code).toBe('service_unavailable');
});

test.each([
  [134, 'service_unavailable'],
  [11_601, 'service_unavailable'],
  [43, 'service_unavailable'],
  [251, 'service_unavailable'], // the error lacks its usual label
  [11_000, undefined],
  [20, undefined],
])('error code %i becomes %s', (code, expected) => {
  expect(mongoProblem(new mongoose.mongo.MongoServerError({ message: 'no', code }))?.code).toBe(expected);
});

const clientIds = Array.from({ length: 16 }, (_, index) => 1000 + index);
const later = (ms: number): Promise<string> => new Promise((resolve) => setTimeout(resolve, ms, 'late'));
