import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startOwnServer } from '@comanda/testing/own-server';
import type { OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { depositKey, newKey, send, startTransfersHarness, transferKey } from './support/harness.ts';
import type { TransfersHarness } from './support/harness.ts';
import { flushRedis, refused, timed, twoAccounts } from './support/outage.ts';

describe('without consent to be had', () => {
  let redis: OwnServer;
  let harness: TransfersHarness;
  beforeAll(async () => {
    redis = await startOwnServer('redis');
    harness = await startTransfersHarness('transfers-redis-down', {
      servers: { ...(await isolatedServers('transfers-redis-down')), redisUrl: redis.url },
    });
  }, 60_000);
  afterAll(async () => {
    await harness.close();
    await redis.discard();
  });

  /** Sends money to an instance that asks for consent at `authStepupUrl`. */
  async function sentTo(authStepupUrl: string): Promise<void> {
    const { ana, from, to } = await twoAccounts(harness);
    const elsewhere = await harness.startInstance({ AUTH_STEPUP_URL: authStepupUrl });
    const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
    const what = { from, to, amount: '1.00', token };
    expect(await timed(send({ ...ana, call: caller(elsewhere.url, ana) }, harness.issueStepUpToken, what))).toEqual(
      refused,
    );
    expect(await harness.balance(to)).toBe('0.00');
    // The token is unspent.
    expect((await harness.send(ana, what)).status).toBe(201);
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
    const { ana, from, to } = await twoAccounts(harness);
    const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
    const what = { from, to, amount: '1.00', key: newKey(), token };
    redis.kill('SIGSTOP');
    try {
      expect(await timed(harness.send(ana, what))).toEqual(refused);
      expect(await harness.balance(to)).toBe('0.00');
    } finally {
      redis.kill('SIGCONT');
    }
    await until(async () => (await harness.send(ana, what)).status === 201, {
      what: 'Redis to be back',
      timeoutMs: 10_000,
    });
    expect(await harness.balance(to)).toBe('1.00');
  }, 30_000);

  test('when Redis is killed, then 503 within 2 s, for transfers and deposits, and nothing moves; it recovers', async () => {
    const { ana, from, to } = await twoAccounts(harness);
    const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
    const deposit = await harness.issueStepUpToken({ userId: harness.manager.id, endpointKey: depositKey });
    const what = { from, to, amount: '1.00', key: newKey(), token };
    const putIn = () =>
      harness.manager.call('POST', `/accounts/${to}/deposits`, {
        body: { amount: '1.00' },
        headers: { 'x-step-up-token': deposit, 'idempotency-key': what.key },
      });
    redis.kill('SIGKILL');
    await redis.exited;
    const answers = await Promise.all([harness.send(ana, what), putIn()].map(timed));
    const meanwhile = await harness.balance(to);
    redis = await redis.startAgain();
    expect(answers).toEqual([refused, refused]);
    expect(meanwhile).toBe('0.00');
    for (const call of [() => harness.send(ana, what), putIn])
      await until(async () => (await call()).status === 201, { what: 'Redis to be back', timeoutMs: 20_000 });
    expect(await harness.balance(to)).toBe('2.00');
  }, 60_000);

  test('when Redis has lost its memory, then a token is not taken, and what was posted is still answered', async () => {
    const { ana, from, to } = await twoAccounts(harness);
    const fresh = () => harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
    const done = { from, to, amount: '1.00', key: newKey(), token: await fresh() };
    const first = await harness.send(ana, done);
    const lost = { from, to, amount: '1.00', key: newKey(), token: await fresh() };
    await flushRedis(redis.url);
    expect(codeOf(await harness.send(ana, lost))).toBe('401 step_up_invalid');
    expect((await harness.send(ana, done)).body).toEqual(first.body);
    expect(await harness.balance(to)).toBe('1.00');
  });
});
