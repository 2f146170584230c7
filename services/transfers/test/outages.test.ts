import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { untilReady } from '@comanda/testing/until-ready';
import { codeOf } from '@comanda/testing/call';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { depositKey, newKey, startTransfersHarness, transferKey, type TransfersHarness } from './support/harness.ts';
import { twoAccounts, unavailable } from './support/outage.ts';

describe('MongoDB', () => {
  let mongod: OwnServer;
  let harness: TransfersHarness;
  beforeAll(async () => {
    mongod = await startOwnServer('mongodb');
    harness = await startTransfersHarness('transfers-mongo-down', {
      env: { MONGODB_URI: mongod.url },
      responseTimeLimitMs: 1800,
    });
  });
  afterAll(async () => {
    await harness.close();
    await mongod.discard();
  });

  const newToken = (userId: number): Promise<string> => harness.issueStepUpToken({ userId, endpointKey: transferKey });
  const untilUnready = (): Promise<unknown> =>
    until(async () => (await fetch(`${harness.url}/readyz`)).status === 503, { what: 'readyz to answer 503' });

  test('causes a 503 for every call while it is frozen', async () => {
    const { ana, from, to } = await twoAccounts(harness);
    const requests = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const token = await newToken(ana.id);
        return { from, to, amount: '1.00', key: newKey(), token };
      }),
    );
    const inFlight = requests.map((request) => harness.send(ana, request));
    mongod.kill('SIGSTOP');
    try {
      await Promise.all(inFlight); // each request gets a response while MongoDB is frozen
      const later = await Promise.all([
        harness.send(ana, { from, to, amount: '1.00', key: newKey() }),
        harness.send(ana, { from, to, amount: '1.00' }),
        ana.call('GET', '/accounts'),
        ana.call('GET', `/accounts/${from}/entries`),
        ana.call('POST', '/accounts', { body: {} }),
      ]);
      await untilUnready();

      expect(new Set(later.map(codeOf))).toEqual(new Set([unavailable]));
    } finally {
      mongod.kill('SIGCONT');
    }
    await untilReady(harness.url);
    const isPosted = async (request: (typeof requests)[number]): Promise<boolean> =>
      (await harness.send(ana, request)).status === 201;
    await Promise.all(requests.map((request) => until(() => isPosted(request), { what: 'a final answer' })));
    expect([await harness.balance(from), await harness.balance(to)]).toEqual(['980.00', '20.00']);
  });

  test('causes a 503 for every call after being killed', async () => {
    const { ana, from, to } = await twoAccounts(harness);
    const request = { from, to, amount: '1.00', key: newKey(), token: await newToken(ana.id) };
    const depositToken = await harness.issueStepUpToken({ userId: harness.manager.id, endpointKey: depositKey });
    const deposit = () =>
      harness.manager.call('POST', `/accounts/${to}/deposits`, {
        body: { amount: '1.00' },
        headers: { 'x-step-up-token': depositToken },
      });
    mongod.kill('SIGKILL');
    await mongod.exited;

    const responses = await Promise.all([
      harness.send(ana, request),
      deposit(),
      ana.call('GET', '/accounts'),
      ana.call('GET', `/accounts/${from}`),
    ]);
    await untilUnready();
    mongod = await mongod.startAgain();
    await untilReady(harness.url);
    const balance = await harness.balance(to);
    const next = [await harness.send(ana, request), await deposit()];

    expect(new Set(responses.map(codeOf))).toEqual(new Set([unavailable]));
    expect(balance).toBe('0.00');
    expect(next.map(({ status }) => status)).toEqual([201, 201]);
    expect(await harness.balance(to)).toBe('2.00');
  });

  describe('with an instance that is killed during a transaction', () => {
    let client: mongoose.mongo.MongoClient;
    beforeAll(async () => {
      client = await new mongoose.mongo.MongoClient(mongod.url).connect();
      await client.db('admin').command({ setParameter: 1, transactionLifetimeLimitSeconds: 60 });
    });
    afterAll(() => client.close());

    /** Leaves behind what a killed instance leaves: its last heartbeat, and an open transaction that has written to `account`. */
    async function leaveTransactionOn(account: number): Promise<void> {
      const session = client.startSession();
      const database = client.db(harness.servers.database);
      const heartbeat = { beat: '$$NOW', sessions: { $literal: [session.id] } };
      await database
        .collection<{ _id: string }>('instances')
        .updateOne({ _id: 'killed' }, [{ $set: heartbeat }], { upsert: true });
      session.startTransaction();
      await database
        .collection<{ _id: number }>('accounts')
        .updateOne({ _id: account }, { $inc: { seq: 0, held: 1 } }, { session });
    }

    test('delays only the account that it has locked', async () => {
      const held = await twoAccounts(harness);
      const free = await twoAccounts(harness);
      const token = await newToken(held.ana.id);
      const request = { from: held.from, to: held.to, amount: '1.00', key: newKey(), token };
      await leaveTransactionOn(held.from);
      const [onHeld, ...onFree] = await Promise.all([
        harness.send(held.ana, request),
        ...Array.from({ length: 10 }, () => harness.send(free.ana, { from: free.from, to: free.to, amount: '1.00' })),
      ]);
      await until(async () => (await harness.send(held.ana, request)).status === 201, {
        timeoutMs: 30_000, // MongoDB would unlock the account only after 60 s
        what: 'the account to be free',
      });

      expect(codeOf(onHeld)).toBe('503 service_unavailable');
      expect(onFree.map(({ status }) => status)).toEqual(onFree.map(() => 201));
      expect(await harness.balance(held.to)).toBe('1.00');
    });
  });
});

describe('RabbitMQ', () => {
  let broker: OwnServer;
  let harness: TransfersHarness;
  beforeAll(async () => {
    broker = await startOwnServer('rabbitmq');
    harness = await startTransfersHarness('transfers-no-broker', { env: { RABBITMQ_URL: broker.url } });
  });
  afterAll(async () => {
    await harness?.close();
    await broker?.discard();
  });
  const recordAgain = (url: string): Promise<RecordedEvents> =>
    until(() => recordEvents(url).catch(() => null), { timeoutMs: 20_000, what: 'the stream to be available again' });

  test("doesn't delay transfers while it is frozen", async () => {
    const { ana, from, to } = await twoAccounts(harness);
    const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
    broker.kill('SIGSTOP');
    const sent = await harness.send(ana, { from, to, amount: '1.00', token }).finally(() => broker.kill('SIGCONT'));

    expect(sent.status).toBe(201);
    const recorded = await recordAgain(broker.url);
    await until(() => recorded.of('transfer.posted', sent.body.id).length > 0, {
      timeoutMs: 40_000,
      what: 'the event',
    });
    await recorded.close();
  });

  test("doesn't delay transfers while it is stopped", async () => {
    await broker.stop();
    const { ana, from, to } = await twoAccounts(harness);

    const sent = await harness.send(ana, { from, to, amount: '1.00' });
    const ready = await fetch(`${harness.url}/readyz`);

    expect([sent.status, ready.status]).toEqual([201, 200]);
    broker = await broker.startAgain();
    const recorded = await recordAgain(broker.url);
    await recorded.waitFor('transfer.posted', sent.body.id);
    await recorded.close();
  });
});
