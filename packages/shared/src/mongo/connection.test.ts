import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { startOwnServer } from '@comanda/testing/own-server';
import type { OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { asProblem } from '../http/problem-handler.ts';
import { createLogger } from '../runtime/logger.ts';
import { connectMongo, mongoProblem, unwrapped } from './connection.ts';
import type { MongoLink } from './connection.ts';
import { createTransactions } from './transactions.ts';
import type { Session } from './transactions.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
let server: OwnServer;
let link: MongoLink;
beforeAll(async () => {
  server = await startOwnServer('mongodb');
  link = connectMongo({
    uri: server.url,
    database: 'connection-test',
    logger,
    prepare: () => Promise.resolve(),
  });
  await until(link.isUp, { what: 'MongoDB to be ready' });
}, 60_000);
afterAll(async () => {
  await link.close();
  await server.discard();
});

test('when the server was never there, then every operation is 503 at once', async () => {
  const nowhere = connectMongo({
    uri: 'mongodb://127.0.0.1:9/?replicaSet=none',
    database: 'connection-test',
    logger,
    prepare: () => Promise.resolve(),
  });
  const things = nowhere.connection.collection('things');
  const failures = await Promise.all([
    failure(() => things.findOne({})),
    failure(async () => things.find({}).toArray()),
    failure(() => things.insertOne({})),
    failure(() => things.bulkWrite([{ insertOne: { document: {} } }])),
  ]);
  await nowhere.close();
  expect(failures.map(({ code }) => code)).toEqual(failures.map(() => 'service_unavailable'));
  expect(Math.max(...failures.map(({ ms }) => ms))).toBeLessThan(1000);
});

type Failure = { ms: number; code: string | undefined };
async function failure(operation: () => Promise<unknown>): Promise<Failure> {
  const begun = performance.now();
  try {
    await operation();
  } catch (error) {
    return { ms: performance.now() - begun, code: mongoProblem(error)?.code };
  }
  throw new Error('it should have failed');
}

test('when the server freezes, then every operation is 503 within 2 s, at once and later, and all is well afterwards', async () => {
  const things = link.connection.collection<{ _id: number }>('things');
  await things.insertOne({ _id: 1 });
  server.kill('SIGSTOP');
  // Delivered asynchronously: what was answered until now was answered by a server that still ran.
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
  expect(failures.map(({ code }) => code)).toEqual(failures.map(() => 'service_unavailable'));
  expect(Math.max(...failures.map(({ ms }) => ms))).toBeLessThan(2000);
  expect(link.isUp()).toBe(false);
  server.kill('SIGCONT');
  await until(link.isUp, { what: 'the connection to come back' });
  expect(await things.findOne({ _id: 1 })).toEqual({ _id: 1 });
}, 30_000);

test('when the server is killed under bulk writes, in and out of transactions, then each that fails is 503', async () => {
  const things = link.connection.collection<{ _id: number; n?: number }>('things');
  await things.insertMany(hands.map((_id) => ({ _id })));
  const transactions = createTransactions({ ...link, logger });
  const failures: unknown[] = [];
  const writing = { goesOn: true };
  const write = (_id: number, options = {}) =>
    things.bulkWrite([{ updateOne: { filter: { _id }, update: { $inc: { n: 1 } } } }], options);
  const hand = async (_id: number): Promise<void> => {
    const once = (): Promise<unknown> =>
      _id % 2 === 0
        ? write(_id)
        : transactions.run({ deadline: performance.now() + 1000 }, (session) => write(_id, { session }));
    while (writing.goesOn) {
      const failed = await once().then(
        () => null,
        (error: unknown) => ({ error }),
      );
      if (failed) failures.push(failed.error);
      // What fails at once must let others have a turn.
      await later(1);
    }
  };
  const all = Promise.all(hands.map(hand));
  const cutOff = (): boolean => failures.some((error) => unwrapped(error) !== error);
  for (let death = 0; death < 20 && !cutOff(); death++) {
    await until(link.isUp, { what: 'the server to be back' });
    await things.findOne({ _id: 1000 });
    server.kill('SIGKILL');
    await server.exited;
    server = await server.startAgain();
  }
  writing.goesOn = false;
  await all;
  await until(link.isUp, { what: 'the server to be back' });
  await transactions.close();
  expect(cutOff()).toBe(true);
  expect(failures.filter((error) => asProblem(error, [mongoProblem]).code !== 'service_unavailable')).toEqual([]);
}, 120_000);

test('when the server goes away while the stores are prepared, then it is found again, and transactions go through', async () => {
  const preparing = { times: 0 };
  const own = connectMongo({
    uri: server.url,
    database: 'connection-test',
    logger,
    prepare: async (connection) => {
      if (preparing.times++ === 0) {
        server.kill('SIGKILL');
        await server.exited;
      }
      await connection.collection('prepared').createIndex({ n: 1 });
    },
  });
  // Long enough for whatever is tried meanwhile to have failed.
  await until(() => preparing.times > 2, { what: 'it to be tried again' });
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
}, 60_000);

test.each([
  [134, 'service_unavailable'],
  [11_601, 'service_unavailable'],
  [43, 'service_unavailable'],
  [11_000, undefined],
  [20, undefined],
])('when the server says code %i, then it is %s', (code, due) => {
  expect(mongoProblem(new mongoose.mongo.MongoServerError({ message: 'no', code }))?.code).toBe(due);
});

const hands = Array.from({ length: 16 }, (_, index) => 1000 + index);
const later = (ms: number): Promise<string> => new Promise((resolve) => setTimeout(resolve, ms, 'late'));
