import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller } from '../../../test/support/call.ts';
import { isolated } from '../../../test/support/isolated.ts';
import { startOwnServer } from '../../../test/support/own-server.ts';
import type { OwnServer } from '../../../test/support/own-server.ts';
import { until } from '../../../test/support/until.ts';
import { hearEvents } from '../../orders/test/support/events.ts';
import { codeOf, newKey, ready, send, startTransfersHouse, transferKey } from './support/house.ts';
import type { House, Person } from './support/house.ts';

type Answer = { status: number; code: string; inTime: true | number };
/** 503 within 2 s, with nothing else said. */
const refused: Answer = { status: 503, code: 'service_unavailable', inTime: true };
async function timed(call: Promise<{ status: number; body: { code: string } }>): Promise<Answer> {
  const begun = performance.now();
  const { status, body } = await call;
  const ms = performance.now() - begun;
  return { status, code: body.code, inTime: ms < 2000 || ms };
}
/** Ana and Rui with an account each, and money in Ana's. */
async function twoAccounts(house: House): Promise<{ ana: Person; from: number; to: number }> {
  const [ana, rui] = [await house.customer('Ana'), await house.customer('Rui')];
  const [from, to] = [(await house.open(ana)).id, (await house.open(rui)).id];
  await house.fund(from, '1000.00');
  return { ana, from, to };
}

describe('with a database that fails', () => {
  let mongod: OwnServer;
  let house: House;
  beforeAll(async () => {
    mongod = await startOwnServer('mongodb');
    house = await startTransfersHouse('transfers-mongo-down', { env: { MONGODB_URI: mongod.url } });
  }, 60_000);
  afterAll(async () => {
    await house.close();
    await mongod.discard();
  });

  test('when it freezes, then every call is 503 within 2 s, those under way included, and each consent has one effect', async () => {
    const { ana, from, to } = await twoAccounts(house);
    const consents = await Promise.all(
      Array.from({ length: 20 }, async () => ({
        from,
        to,
        amount: '1.00',
        key: newKey(),
        token: await house.mint({ userId: ana.id, endpointKey: transferKey }),
      })),
    );
    const underWay = consents.map((what) => timed(house.send(ana, what)));
    mongod.kill('SIGSTOP');
    try {
      const first = await Promise.all(underWay);
      expect(first.filter(({ inTime }) => inTime !== true)).toEqual([]);
      const then = [
        house.send(ana, { from, to, amount: '1.00', key: newKey() }),
        house.send(ana, { from, to, amount: '1.00' }),
        ana.call('GET', '/accounts'),
        ana.call('GET', `/accounts/${from}/entries`),
        ana.call('POST', '/accounts', { body: {} }),
      ];
      expect(await Promise.all(then.map(timed))).toEqual(then.map(() => refused));
      await until(async () => (await fetch(`${house.url}/readyz`)).status === 503, { what: 'readyz to say so' });
    } finally {
      mongod.kill('SIGCONT');
    }
    await ready(house.url);
    const answers = await Promise.all(
      consents.map((what) =>
        until(async () => ((await house.send(ana, what)).status === 201 ? true : null), {
          timeoutMs: 15_000,
          what: 'a final answer',
        }),
      ),
    );
    expect(answers).toHaveLength(20);
    expect([await house.balance(from), await house.balance(to)]).toEqual(['980.00', '20.00']);
  }, 60_000);

  test('when an instance died in mid-transaction, then others go on, and its accounts are free within 5 s', async () => {
    const { ana, from, to } = await twoAccounts(house);
    const other = await twoAccounts(house);
    const dead = await new mongoose.mongo.MongoClient(mongod.url).connect();
    try {
      await dead.db('admin').command({ setParameter: 1, transactionLifetimeLimitSeconds: 60 });
      const database = dead.db(house.own.database);
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
      const token = await house.mint({ userId: ana.id, endpointKey: transferKey });
      const what = { from, to, amount: '1.00', key: newKey(), token };
      const answers = await Promise.all([
        house.send(ana, what),
        ...Array.from({ length: 10 }, () => house.send(other.ana, { from: other.from, to: other.to, amount: '1.00' })),
      ]);
      expect(codeOf(answers[0] as never)).toBe('503 service_unavailable');
      expect(answers.slice(1).map(({ status }) => status)).toEqual(answers.slice(1).map(() => 201));
      await until(async () => (await house.send(ana, what)).status === 201, {
        timeoutMs: 6000,
        what: 'the account to be free',
      });
      expect(performance.now() - held).toBeLessThan(5000);
      expect(await house.balance(to)).toBe('1.00');
    } finally {
      await dead.close();
    }
  }, 60_000);
});

describe('without consent to be had', () => {
  let redis: OwnServer;
  let house: House;
  beforeAll(async () => {
    redis = await startOwnServer('redis');
    house = await startTransfersHouse('transfers-redis-down', {
      own: { ...(await isolated('transfers-redis-down')), redisUrl: redis.url },
    });
  }, 60_000);
  afterAll(async () => {
    await house.close();
    await redis.discard();
  });

  /** Sends money to an instance that asks for consent at `authStepupUrl`. */
  async function sentTo(authStepupUrl: string): Promise<void> {
    const { ana, from, to } = await twoAccounts(house);
    const elsewhere = await house.another({ AUTH_STEPUP_URL: authStepupUrl });
    const token = await house.mint({ userId: ana.id, endpointKey: transferKey });
    const what = { from, to, amount: '1.00', token };
    expect(await timed(send({ ...ana, call: caller(elsewhere.url, ana) }, house.mint, what))).toEqual(refused);
    expect(await house.balance(to)).toBe('0.00');
    // The token is unspent.
    expect((await house.send(ana, what)).status).toBe(201);
  }

  test('when auth-stepup is down, then 503 within 2 s, nothing moved, the token unspent', async () => {
    await sentTo('http://127.0.0.1:9');
  });

  test('when auth-stepup is frozen, then 503 within 2 s, nothing moved, the token unspent', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    await sentTo(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test('when Redis freezes, then 503 within 2 s and nothing moves; accounts are still read; it recovers', async () => {
    const { ana, from, to } = await twoAccounts(house);
    const token = await house.mint({ userId: ana.id, endpointKey: transferKey });
    const what = { from, to, amount: '1.00', key: newKey(), token };
    redis.kill('SIGSTOP');
    try {
      expect(await timed(house.send(ana, what))).toEqual(refused);
      expect(await house.balance(to)).toBe('0.00');
    } finally {
      redis.kill('SIGCONT');
    }
    await until(async () => (await house.send(ana, what)).status === 201, {
      what: 'Redis to be back',
      timeoutMs: 10_000,
    });
    expect(await house.balance(to)).toBe('1.00');
  }, 30_000);

  test('when Redis has lost its memory, then a token is not taken, and what was posted is still answered', async () => {
    const { ana, from, to } = await twoAccounts(house);
    const fresh = () => house.mint({ userId: ana.id, endpointKey: transferKey });
    const done = { from, to, amount: '1.00', key: newKey(), token: await fresh() };
    const first = await house.send(ana, done);
    const lost = { from, to, amount: '1.00', key: newKey(), token: await fresh() };
    await house.auth.redis.flushall();
    expect(codeOf(await house.send(ana, lost))).toBe('401 step_up_invalid');
    expect((await house.send(ana, done)).body).toEqual(first.body);
    expect(await house.balance(to)).toBe('1.00');
  });
});

describe('without a broker', () => {
  test('when it is away, then money moves all the same, and its event comes once the broker is back', async () => {
    let broker = await startOwnServer('rabbitmq');
    const house = await startTransfersHouse('transfers-no-broker', { env: { RABBITMQ_URL: broker.url } });
    try {
      await broker.stop();
      const { ana, from, to } = await twoAccounts(house);
      const sent = await house.send(ana, { from, to, amount: '1.00' });
      expect(sent.status).toBe(201);
      expect((await fetch(`${house.url}/readyz`)).status).toBe(200);
      broker = await broker.startAgain();
      const heard = await until(() => hearEvents(broker.url).catch(() => null), {
        timeoutMs: 20_000,
        what: 'the stream to be there again',
      });
      await heard.waitFor('transfer.posted', sent.body.id);
      await heard.close();
    } finally {
      await house.close();
      await broker.discard();
    }
  }, 90_000);
});
