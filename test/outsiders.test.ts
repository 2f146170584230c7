import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startStack, type Stack } from '@comanda/testing/stack';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { startGatewayBefore, tryProtocol } from './outsiders/protocol.ts';
import { tryJsonFiles, trySignatures, tryTexts, type Verdict } from './outsiders/cases.ts';

/** Their cases wait for pings and for what must not come: they do so while the other tests run. */
let feeds: Promise<Verdict[]>;
beforeAll(async () => {
  const servers = await isolatedServers('protocol');
  const behind = (url: string) => startGatewayBefore(url, servers);
  feeds = Promise.all([
    tryProtocol({ suite: 'Socket.IO v5', transports: 'websocket' }),
    tryProtocol({ suite: 'Engine.IO v4', transports: 'websocket' }),
    tryProtocol({ suite: 'Socket.IO v5', transports: 'websocket', behind }),
    tryProtocol({ suite: 'Engine.IO v4', transports: 'websocket', behind }),
  ]);
});
afterAll(() => feeds);

describe('the gateway', () => {
  let stack: Stack;
  let token: string;
  beforeAll(async () => {
    stack = await startStack(await isolatedServers('outsiders'), withoutLimits);
    ({ token } = await stack.customer('Ana'));
  });
  afterAll(() => stack.close());

  test('when a body is a file of JSONTestSuite, then it is read if it is JSON, and refused if not', async () => {
    expect(await tryJsonFiles({ ...stack, token })).toEqual({ cases: 318, failures: [] });
  });

  test('when a remark is one of the naughty strings, then it is kept as it is, or refused', async () => {
    const body = { name: `Pão de queijo ${Date.now()}`, price: '1.00' };
    const dish = created(await stack.call('POST', '/menu', { body, token: stack.managerToken }));

    expect(await tryTexts({ ...stack, token }, dish.id)).toEqual({ cases: 515, failures: [] });
  });
});

test('when a signature is one of Wycheproof, then it is valid if they say so, and signs no receipt if not', () => {
  expect(trySignatures()).toEqual({ cases: 41, failures: [] });
});

describe('the live feed', () => {
  test('when the suites of its protocols are tried at it, then they pass, as they do through a gateway', async () => {
    const [socketIo, engineIo, ...throughGateway] = await feeds;

    expect(socketIo).toEqual({ cases: 22, failures: [] });
    expect(engineIo).toEqual({ cases: 9, failures: [] });
    expect(throughGateway).toEqual([socketIo, engineIo]);
  });
});
