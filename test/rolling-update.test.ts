import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { budget } from '@comanda/testing/budget';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { startTestIssuer, type TestIssuer } from '@comanda/testing/test-issuer';
import { testSecrets } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';

/**
 * How often the balancer checks each instance's `/readyz`, in milliseconds. It may send connections to a stopping instance for
 * this long.
 */
const noticeMs = 500;
const callers = budget(1, 4);
/** How often each instance is replaced. */
const rounds = budget(1, 4);

let issuer: TestIssuer;
let instances: readonly ServiceProcess[] = [];
let gateway: ServiceProcess;
let balancer: LateBalancer;

type LateBalancer = { url: string; knowsReady: (target: string) => boolean; close: () => Promise<void> };

/**
 * Starts a TCP balancer that never retries. It finds out every `noticeMs` which instances accept connections, from their
 * `/readyz`.
 */
async function startLateBalancer(targets: readonly string[]): Promise<LateBalancer> {
  const ready = new Set(targets);
  let next = 0;
  let isClosed = false;
  const timers = new Map<string, NodeJS.Timeout>();
  // The next check of an instance starts only after the last one, so that a late response can't replace a newer one. Instances
  // are checked separately, because an instance that is starting responds slowly.
  const checkLater = (target: string): void => {
    if (!isClosed)
      timers.set(
        target,
        setTimeout(() => void check(target).finally(() => checkLater(target)), noticeMs),
      );
  };
  const check = async (target: string): Promise<void> => {
    const answer = await fetch(`${target}/readyz`).catch(() => null);
    if (answer?.ok) ready.add(target);
    else ready.delete(target);
  };
  targets.forEach(checkLater);
  const server = createServer((client) => {
    const target = [...ready][next++ % ready.size];
    if (!target) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    knowsReady: (target) => ready.has(target),
    close: async () => {
      isClosed = true;
      timers.forEach((timer) => clearTimeout(timer));
      server.close();
      await once(server, 'close');
    },
  };
}

beforeAll(async () => {
  const servers = await isolatedServers('rolling-update');
  issuer = await startTestIssuer();
  const ports = [await freePort(), await freePort()];
  balancer = await startLateBalancer(ports.map((port) => `http://127.0.0.1:${port}`));
  const settings = stackSettings({ servers, secrets: testSecrets() });
  const common = { JWKS_URL: issuer.jwksUrl, DRAIN_DELAY_MS: String(6 * noticeMs), LOG_LEVEL: 'warn' };
  instances = await Promise.all(
    ports.map((port) => startServiceProcess('orders', { ...settings.orders, ...common, PORT: String(port) })),
  );
  gateway = await startServiceProcess('gateway', {
    ...settings.gateway,
    ...common,
    ORDERS_URL: balancer.url,
    RATE_LIMIT_ADDRESS: '1000000',
  });
  await Promise.all([...instances, gateway].map((each) => each.ready()));
  // The balancer has been running since before the instances started, and notices only after a while that they are ready.
  await until(() => instances.every(({ url }) => balancer.knowsReady(url)), { what: 'the balancer to notice them' });
});
afterAll(async () => {
  await Promise.all([...instances, gateway].map((each) => each.end('SIGKILL')));
  await balancer.close();
  await issuer.close();
});

/** Starts clients that fetch the menu again and again. `stop` returns the number of calls by result. */
function readSteadily(): { stop: () => Promise<Record<string, number>> } {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const answers: Record<string, number> = {};
  let stopped = false;
  const read = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    get(`${gateway.url}/menu`, { agent }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)));
    }).on('error', ({ message }) => resolve(message));
    const outcome = await promise;
    answers[outcome] = (answers[outcome] ?? 0) + 1;
  };
  const work = async (): Promise<void> => {
    while (!stopped) await read();
  };
  const working = Promise.all(Array.from({ length: callers }, work));
  return {
    stop: async () => {
      stopped = true;
      await working;
      agent.destroy();
      return answers;
    },
  };
}

test('no call fails when each orders instance is replaced behind a slow load balancer', async () => {
  const load = readSteadily();
  for (const instance of Array.from({ length: rounds }, () => instances).flat()) {
    await instance.end('SIGTERM');
    await instance.start();
    await instance.ready();
    await until(() => balancer.knowsReady(instance.url), { what: 'the balancer to notice it' });
  }

  const answers = await load.stop();

  expect(Object.keys(answers)).toEqual(['200']);
});
