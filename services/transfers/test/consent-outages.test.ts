import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf } from '@comanda/testing/call';
import { createSignatureCheck, signatureHeader } from '@comanda/shared/http/service-signature';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { testCallerSecrets } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';
import {
  depositKey,
  newKey,
  send,
  startTransfersHarness,
  transferKey,
  type TransfersHarness,
} from './support/harness.ts';
import { flushRedis, twoAccounts, unavailable } from './support/outage.ts';

let redis: OwnServer;
let harness: TransfersHarness;
beforeAll(async () => {
  redis = await startOwnServer('redis');
  harness = await startTransfersHarness('transfers-redis-down', {
    servers: { ...(await isolatedServers('transfers-redis-down')), redisUrl: redis.url },
  });
});
afterAll(async () => {
  await harness.close();
  await redis.discard();
});

const newToken = (userId: number): Promise<string> => harness.issueStepUpToken({ userId, endpointKey: transferKey });

describe('transfers during an outage of auth-stepup', () => {
  /** Starts a TCP server that accepts connections but never responds. */
  async function startSilentServer() {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () => {
        for (const socket of sockets) socket.destroy();
        server.close();
      },
    };
  }

  test.each([
    ['down', () => ({ url: 'http://127.0.0.1:9', close: () => undefined })],
    ['frozen', startSilentServer],
  ])('get a 503 while auth-stepup is %s', async (_what, start) => {
    const authStepup = await start();
    const instance = await harness.startInstance({ AUTH_STEPUP_URL: authStepup.url });
    const { ana, from, to } = await twoAccounts(harness);
    const request = { from, to, amount: '1.00', token: await newToken(ana.id) };

    const response = await send({ ...ana, call: caller(instance.url, ana) }, harness.issueStepUpToken, request);

    const balance = await harness.balance(to);
    const next = await harness.send(ana, request);
    authStepup.close();
    expect(codeOf(response)).toBe(unavailable);
    expect(balance).toBe('0.00');
    expect(next.status).toBe(201);
  });
});

describe('an auth-stepup from a newer release', () => {
  /** Starts a server that rejects every token with an unknown code and signs its responses. */
  async function startNewerAuthStepup() {
    const check = createSignatureCheck(testCallerSecrets);
    const refuse = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
      const { method = '', url: target = '', headers } = req;
      const header = headers[signatureHeader.toLowerCase()] as string | undefined;
      const verified = check({ method, target, body: await buffer(req), header });
      const body = Buffer.from(JSON.stringify({ code: 'account_frozen', detail: 'This account is frozen.' }));
      if (verified) res.setHeader(signatureHeader, verified.sign({ status: 403, body }));
      res.statusCode = 403;
      res.end(body);
    };
    const server = createHttpServer((req, res) => void refuse(req, res)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
  }

  test('can reject a transfer for a reason unknown to this release', async () => {
    const newer = await startNewerAuthStepup();
    const instance = await harness.startInstance({ AUTH_STEPUP_URL: newer.url });
    const { ana, from, to } = await twoAccounts(harness);
    const request = { from, to, amount: '1.00', token: await newToken(ana.id) };

    const response = await send({ ...ana, call: caller(instance.url, ana) }, harness.issueStepUpToken, request);

    newer.close();
    expect(codeOf(response)).toBe('401 step_up_invalid');
    expect(response.body).toMatchObject({ detail: 'This account is frozen.' });
    expect(await harness.balance(to)).toBe('0.00');
  });
});

describe('transfers during an outage of Redis', () => {
  test('get a 503 while Redis is frozen', async () => {
    const { ana, from, to } = await twoAccounts(harness);
    const request = { from, to, amount: '1.00', key: newKey(), token: await newToken(ana.id) };
    redis.kill('SIGSTOP');
    try {
      const response = await harness.send(ana, request);

      expect(codeOf(response)).toBe(unavailable);
      expect(await harness.balance(to)).toBe('0.00');
    } finally {
      redis.kill('SIGCONT');
    }
    await until(async () => (await harness.send(ana, request)).status === 201, {
      what: 'Redis to answer again',
    });
    expect(await harness.balance(to)).toBe('1.00');
  });

  test('get a 503 while Redis is down', async () => {
    const { ana, from, to } = await twoAccounts(harness);
    const request = { from, to, amount: '1.00', key: newKey(), token: await newToken(ana.id) };
    const depositToken = await harness.issueStepUpToken({ userId: harness.manager.id, endpointKey: depositKey });
    const deposit = () =>
      harness.manager.call('POST', `/accounts/${to}/deposits`, {
        body: { amount: '1.00' },
        headers: { 'x-step-up-token': depositToken, 'idempotency-key': request.key },
      });
    redis.kill('SIGKILL');
    await redis.exited;

    const responses = await Promise.all([harness.send(ana, request), deposit()]);
    const balance = await harness.balance(to);
    redis = await redis.startAgain();

    expect(responses.map(codeOf)).toEqual([unavailable, unavailable]);
    expect(balance).toBe('0.00');
    for (const call of [() => harness.send(ana, request), deposit])
      await until(async () => (await call()).status === 201, { what: 'Redis to answer again', timeoutMs: 20_000 });
    expect(await harness.balance(to)).toBe('2.00');
  });

  test('are rejected if Redis has lost its data, and leave their tokens unspent', async () => {
    const { ana, from, to } = await twoAccounts(harness);
    const posted = { from, to, amount: '1.00', key: newKey(), token: await newToken(ana.id) };
    const first = await harness.send(ana, posted);
    const unposted = { from, to, amount: '1.00', key: newKey(), token: await newToken(ana.id) };
    await flushRedis(redis.url);

    const refusedAnswer = await harness.send(ana, unposted);
    const repeated = await harness.send(ana, posted);

    expect(codeOf(refusedAnswer)).toBe('401 step_up_invalid');
    expect(repeated.body).toEqual(first.body);
    expect(await harness.balance(to)).toBe('1.00');
  });
});
