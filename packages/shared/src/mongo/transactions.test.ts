import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { createLogger } from '../runtime/logger.ts';
import { connectMongo, mongoProblem } from './connection.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { createTransactions } from './transactions.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
const database = 'transactions-test';
let server: OwnServer;
let direct: mongoose.mongo.MongoClient;
let network: Awaited<ReturnType<typeof startNetwork>>;
beforeAll(async () => {
  server = await startOwnServer('mongodb');
  direct = await new mongoose.mongo.MongoClient(server.url).connect();
  await direct.db('admin').command({ setParameter: 1, transactionLifetimeLimitSeconds: 60 });
  network = await startNetwork(Number(new URL(server.url).port));
});
afterAll(async () => {
  await network.close();
  await direct.close();
  await server.discard();
});
const things = () => direct.db(database).collection<{ _id: number; n: number }>('things');
const instances = () => direct.db(database).collection<{ sessions: unknown[] }>('instances');
beforeEach(async () => {
  await instances().deleteMany({});
  await things().deleteMany({});
  await things().insertOne({ _id: 1, n: 0 });
});

/** Starts a proxy between a client and the server, whose network can be cut and reconnected. */
async function startNetwork(port: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `mongodb://127.0.0.1:${(proxy.address() as AddressInfo).port}/?directConnection=true`,
    cut: () => {
      isCut = true;
      breakAll();
    },
    connect: () => {
      isCut = false;
    },
    close: async () => {
      proxy.close();
      breakAll();
      await once(proxy, 'close');
    },
  };
}

let close: () => Promise<void>;
afterEach(() => close());
async function openInstance() {
  const link = connectMongo({ uri: network.url, database, logger, onConnect: () => Promise.resolve() });
  await until(link.isUp, { what: 'MongoDB to be ready' });
  const transactions = createTransactions({ ...link, logger });
  close = async () => {
    network.connect();
    await transactions.close();
    await link.close();
  };
  return { link, transactions };
}

test("a transaction's documents are unlocked within 5 s of a network failure, even if its instance is alive", async () => {
  const { link, transactions } = await openInstance();
  const own = link.connection.collection<{ _id: number; n: number }>('things');

  const failed = transactions.run({ deadline: performance.now() }, async (session) => {
    await own.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    network.cut();
    await own.findOne({ _id: 1 }, { session });
  });
  await expect(failed).rejects.toThrow(/connection|closed|interrupted|selection/i);
  // Waits longer than the driver keeps trying to abort the transaction.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  network.connect();
  const write = async (): Promise<boolean> => {
    const limit = { maxTimeMS: 500 };
    return things()
      .updateOne({ _id: 1 }, { $set: { n: 7 } }, limit)
      .then(
        () => true,
        () => false,
      );
  };
  await until(write, { what: 'the document to be free' });

  expect(await things().findOne({ _id: 1 })).toEqual({ _id: 1, n: 7 });
});

test("a session isn't kept if the heartbeat that should register it fails", async () => {
  const { link, transactions } = await openInstance();
  const run = (): Promise<unknown> => transactions.run({ deadline: performance.now() }, () => Promise.resolve());
  const registered = async (): Promise<number> => {
    const [found] = await instances().find().toArray();
    return found?.sessions.length ?? 0;
  };
  // The server will reject the next heartbeat, because it now allows only an empty `sessions`.
  await until(() => instances().countDocuments(), { what: 'the first heartbeat' });
  const validator = { $expr: { $eq: [{ $size: '$sessions' }, 0] } };
  await direct.db(database).command({ collMod: 'instances', validator });
  const refused = await Promise.allSettled([run(), run(), run()]);
  await direct.db(database).command({ collMod: 'instances', validator: {} });
  await run();

  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await registered()).toBe(1);
  expect(link.isUp()).toBe(true);
});

test('a transaction whose session is killed during an operation writes nothing, and its retry succeeds', async () => {
  const { link, transactions } = await openInstance();
  const own = link.connection.collection<{ _id: number; n: number }>('things');
  await things().insertMany(Array.from({ length: 2000 }, (_, index) => ({ _id: 100 + index, n: 0 })));
  const longSum = { $reduce: { input: { $range: [0, 50_000] }, initialValue: 0, in: { $add: ['$$value', '$$this'] } } };
  const isReading = async (): Promise<boolean> => {
    const ops = direct.db('admin').aggregate([{ $currentOp: {} }, { $match: { 'command.aggregate': 'things' } }]);
    return (await ops.toArray()).length > 0;
  };
  let attempts = 0;

  await retryOnConflict({ deadline: performance.now() + 30_000 }, () =>
    transactions.run({ deadline: performance.now() + 30_000 }, async (session) => {
      await own.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
      if (++attempts > 1) return;
      const reading = own.aggregate([{ $project: { sum: longSum } }], { session }).toArray();
      const failed = reading.catch((error: unknown) => error);
      await until(isReading, { what: 'the read to be under way' });
      await direct.db('admin').command({ killSessions: [session.id] });
      await failed;
      await reading;
    }),
  );

  expect(attempts).toBe(2);
  expect(await things().findOne({ _id: 1 })).toEqual({ _id: 1, n: 1 });
});

test('a transaction whose session is killed before the commit writes nothing and gets a 503', async () => {
  const { link, transactions } = await openInstance();
  const own = link.connection.collection<{ _id: number; n: number }>('things');

  const failure = await transactions
    .run({ deadline: performance.now() + 10_000 }, async (session) => {
      await own.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
      await direct.db('admin').command({ killSessions: [session.id] });
    })
    .catch((error: unknown) => error);

  expect(mongoProblem(failure)).toMatchObject({ status: 503, code: 'service_unavailable' });
  expect(await things().findOne({ _id: 1 })).toEqual({ _id: 1, n: 0 });
});
