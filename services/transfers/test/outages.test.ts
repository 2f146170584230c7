import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { untilReady } from '@comanda/testing/until-ready';
import { codeOf } from '@comanda/testing/call';
import { startOwnServer } from '@comanda/testing/own-server';
import type { OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { recordEvents } from '@comanda/testing/recorded-events';
import { depositKey, newKey, startTransfersHarness, transferKey } from './support/harness.ts';
import type { TransfersHarness } from './support/harness.ts';
import { refused, timed, twoAccounts } from './support/outage.ts';

describe('with a database that fails', () => {
  let mongod: OwnServer;
  let harness: TransfersHarness;
  beforeAll(async () => {
    mongod = await startOwnServer('mongodb');
    harness = await startTransfersHarness('transfers-mongo-down', { env: { MONGODB_URI: mongod.url } });
  }, 60_000);
  afterAll(async () => {
    await harness.close();
    await mongod.discard();
  });

  test('when it freezes, then every call is 503 within 2 s, those under way included, and each consent has one effect', async () => {
    const { ana, from, to } = await twoAccounts(harness);
    const consents = await Promise.all(
      Array.from({ length: 20 }, async () => ({
        from,
        to,
        amount: '1.00',
        key: newKey(),
        token: await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey }),
      })),
    );
    const underWay = consents.map((what) => timed(harness.send(ana, what)));
    mongod.kill('SIGSTOP');
    try {
      const first = await Promise.all(underWay);
      expect(first.filter(({ inTime }) => inTime !== true)).toEqual([]);
      const then = [
        harness.send(ana, { from, to, amount: '1.00', key: newKey() }),
        harness.send(ana, { from, to, amount: '1.00' }),
        ana.call('GET', '/accounts'),
        ana.call('GET', `/accounts/${from}/entries`),
        ana.call('POST', '/accounts', { body: {} }),
      ];
      expect(await Promise.all(then.map(timed))).toEqual(then.map(() => refused));
      await until(async () => (await fetch(`${harness.url}/readyz`)).status === 503, { what: 'readyz to say so' });
    } finally {
      mongod.kill('SIGCONT');
    }
    await untilReady(harness.url);
    const answers = await Promise.all(
      consents.map((what) =>
        until(async () => ((await harness.send(ana, what)).status === 201 ? true : null), {
          timeoutMs: 15_000,
          what: 'a final answer',
        }),
      ),
    );
    expect(answers).toHaveLength(20);
    expect([await harness.balance(from), await harness.balance(to)]).toEqual(['980.00', '20.00']);
  }, 60_000);

  test('when it is killed, then every call is 503 within 2 s and nothing moved; it recovers by itself', async () => {
    const { ana, from, to } = await twoAccounts(harness);
    const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
    const deposit = await harness.issueStepUpToken({ userId: harness.manager.id, endpointKey: depositKey });
    const what = { from, to, amount: '1.00', key: newKey(), token };
    const putIn = () =>
      harness.manager.call('POST', `/accounts/${to}/deposits`, {
        body: { amount: '1.00' },
        headers: { 'x-step-up-token': deposit },
      });
    mongod.kill('SIGKILL');
    await mongod.exited;
    const calls = [
      harness.send(ana, what),
      putIn(),
      ana.call('GET', '/accounts'),
      ana.call('GET', `/accounts/${from}`),
    ];
    const answers = await Promise.all(calls.map(timed));
    await until(async () => (await fetch(`${harness.url}/readyz`)).status === 503, { what: 'readyz to say so' });
    mongod = await mongod.startAgain();
    await untilReady(harness.url);
    expect(answers).toEqual(calls.map(() => refused));
    expect(await harness.balance(to)).toBe('0.00');
    // The tokens are unspent.
    expect([(await harness.send(ana, what)).status, (await putIn()).status]).toEqual([201, 201]);
    expect(await harness.balance(to)).toBe('2.00');
  }, 60_000);

  test('when an instance died in mid-transaction, then others go on, and its accounts are free within 5 s', async () => {
    const { ana, from, to } = await twoAccounts(harness);
    const other = await twoAccounts(harness);
    const dead = await new mongoose.mongo.MongoClient(mongod.url).connect();
    try {
      await dead.db('admin').command({ setParameter: 1, transactionLifetimeLimitSeconds: 60 });
      const database = dead.db(harness.servers.database);
      // What a process leaves behind that was killed: its last heartbeat, and a transaction that nobody will end.
      const session = dead.startSession();
      await database
        .collection<{ _id: string }>('instances')
        .updateOne({ _id: 'dead' }, [{ $set: { beat: '$$NOW', sessions: { $literal: [session.id] } } }], {
          upsert: true,
        });
      session.startTransaction();
      await database
        .collection<{ _id: number }>('accounts')
        .updateOne({ _id: from }, { $inc: { seq: 0, held: 1 } }, { session });
      const held = performance.now();
      const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
      const what = { from, to, amount: '1.00', key: newKey(), token };
      const answers = await Promise.all([
        harness.send(ana, what),
        ...Array.from({ length: 10 }, () =>
          harness.send(other.ana, { from: other.from, to: other.to, amount: '1.00' }),
        ),
      ]);
      expect(codeOf(answers[0] as never)).toBe('503 service_unavailable');
      expect(answers.slice(1).map(({ status }) => status)).toEqual(answers.slice(1).map(() => 201));
      await until(async () => (await harness.send(ana, what)).status === 201, {
        timeoutMs: 6000,
        what: 'the account to be free',
      });
      expect(performance.now() - held).toBeLessThan(5000);
      expect(await harness.balance(to)).toBe('1.00');
    } finally {
      await dead.close();
    }
  }, 60_000);
});

describe('without a broker', () => {
  test('when it freezes, then money moves within 2 s all the same, and its event comes once it goes on', async () => {
    const broker = await startOwnServer('rabbitmq');
    const harness = await startTransfersHarness('transfers-frozen-broker', { env: { RABBITMQ_URL: broker.url } });
    try {
      const { ana, from, to } = await twoAccounts(harness);
      const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
      broker.kill('SIGSTOP');
      const begun = performance.now();
      const sent = await harness.send(ana, { from, to, amount: '1.00', token });
      const tookMs = performance.now() - begun;
      broker.kill('SIGCONT');
      expect(sent.status).toBe(201);
      expect(tookMs).toBeLessThan(2000);
      const heard = await until(() => recordEvents(broker.url).catch(() => null), {
        timeoutMs: 20_000,
        what: 'the stream to be there again',
      });
      await until(() => heard.of('transfer.posted', sent.body.id).length > 0, {
        timeoutMs: 40_000,
        what: 'the event',
      });
      await heard.close();
    } finally {
      await harness.close();
      await broker.discard();
    }
  }, 120_000);

  test('when it is away, then money moves all the same, and its event comes once the broker is back', async () => {
    let broker = await startOwnServer('rabbitmq');
    const harness = await startTransfersHarness('transfers-no-broker', { env: { RABBITMQ_URL: broker.url } });
    try {
      await broker.stop();
      const { ana, from, to } = await twoAccounts(harness);
      const sent = await harness.send(ana, { from, to, amount: '1.00' });
      expect(sent.status).toBe(201);
      expect((await fetch(`${harness.url}/readyz`)).status).toBe(200);
      broker = await broker.startAgain();
      const heard = await until(() => recordEvents(broker.url).catch(() => null), {
        timeoutMs: 20_000,
        what: 'the stream to be there again',
      });
      await heard.waitFor('transfer.posted', sent.body.id);
      await heard.close();
    } finally {
      await harness.close();
      await broker.discard();
    }
  }, 90_000);
});
