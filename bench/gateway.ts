// Compares the gateway, including all its middleware, with proxies that only forward. Measures requests per CPU second, which is
// the capacity of one core. Then measures the latency that the gateway adds at 1,000 calls per second.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { startTestIssuer } from '@comanda/testing/test-issuer';
import { testServiceSettings } from '@comanda/testing/test-secrets';
import { startBenchServers } from './stack.ts';
import { compare, limit, percentile } from './support.ts';

const servers = await startBenchServers();
const issuer = await startTestIssuer();
const started: ChildProcess[] = [];
type Proxy = { url: string; cpuSeconds: () => Promise<number>; stop: () => Promise<unknown> };

async function start(file: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Proxy> {
  const path = fileURLToPath(new URL(`gateway/${file}`, import.meta.url));
  const child = fork(path, args, {
    execArgv: ['--conditions=source'],
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  started.push(child);
  child.once('exit', (code, signal) => {
    if (code !== 0) process.stderr.write(`${file} ${args.join(' ')} ended: ${signal ?? code}\n`);
  });
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    cpuSeconds: async () => {
      child.send('cpu');
      const [seconds] = (await once(child, 'message')) as [number];
      return seconds;
    },
    stop: () => {
      child.disconnect();
      return once(child, 'exit');
    },
  };
}

const upstream = await start('upstream.ts');
const settings = {
  PORT: '0',
  METRICS_PORT: '0',
  REDIS_URL: servers.redisUrl,
  JWKS_URL: issuer.jwksUrl,
  ...testServiceSettings('gateway'),
  ORDERS_URL: upstream.url,
  RATE_LIMIT_USER: '1000000000',
  RATE_LIMIT_STAFF: '1000000000',
  RATE_LIMIT_ADDRESS_USERS: '1000000000',
  // The other rows use this log level too. A log line per request would lower the throughput by about 10%.
  LOG_LEVEL: 'warn',
};
const proxies = {
  ours: () => start('proxy.ts', ['ours'], settings),
  fastify: () => start('proxy.ts', ['fastifyHttpProxy', upstream.url]),
  undici: () => start('proxy.ts', ['bareUndici', upstream.url]),
};
// V8 optimizes code only after several seconds under load, and slower proxies need longer.
const warmUpSeconds = 8;
const token = issuer.token({ sub: 5, role: 'waiter', lifetimeS: 86_400 });
const body = JSON.stringify({ items: [{ item_id: 1, quantity: 1, remarks: 'a'.repeat(1024 - 55) }] });
const calls = {
  GET: { method: 'GET', path: '/orders', headers: { authorization: `Bearer ${token}` } },
  POST: {
    method: 'POST',
    path: '/orders',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  },
} as const;

const load = (proxy: Proxy, { call, duration }: { call: keyof typeof calls; duration: number }) =>
  autocannon({ url: proxy.url, connections: 64, duration, requests: [calls[call]] });

/**
 * Measures requests per CPU second in a new process, because V8's optimizations last until a process exits. Like a real gateway,
 * the process first forwards both reads and writes: a baseline that has forwarded only writes is a third slower.
 */
async function perCpuSecond(startProxy: () => Promise<Proxy>, call: keyof typeof calls): Promise<number> {
  const proxy = await startProxy();
  await load(proxy, { call: call === 'GET' ? 'POST' : 'GET', duration: warmUpSeconds / 2 });
  await load(proxy, { call, duration: warmUpSeconds });
  const before = await proxy.cpuSeconds();
  const result = await load(proxy, { call, duration: 4 });
  const used = (await proxy.cpuSeconds()) - before;
  await proxy.stop();
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} not 2xx, ${result.errors} errors`);
  return result['2xx'] / used;
}

const agent = new Agent({ keepAlive: true });
function timed(url: string): Promise<number> {
  const begun = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(url + calls.GET.path, { agent, headers: calls.GET.headers }, (res) => {
    res.resume().on('end', () => resolve(performance.now() - begun));
  })
    .on('error', reject)
    .end();
  return promise;
}
/** Measures the p99 of 3,000 calls in milliseconds, with a call started each millisecond. */
async function p99At1000(url: string): Promise<number> {
  const calling: Promise<number>[] = [];
  const begun = performance.now();
  while (calling.length < 3000) {
    // A pause between calls leaves the gateway the core that a busy loop would occupy.
    await delay(1);
    const due = Math.min(3000, performance.now() - begun);
    while (calling.length < due) calling.push(timed(url));
  }
  return percentile(await Promise.all(calling), 0.99);
}

try {
  for (const call of ['GET', 'POST'] as const)
    await compare({
      name: `gateway-${call.toLowerCase()}`,
      what: `${call}, 1 KB, full chain, per second of processor time`,
      unit: 'requests/s',
      ours: () => perCpuSecond(proxies.ours, call),
      peers: {
        '@fastify/http-proxy bare': { run: () => perCpuSecond(proxies.fastify, call), atLeast: 1 },
        'undici dispatch bare': { run: () => perCpuSecond(proxies.undici, call), atLeast: 0.5 },
      },
    });
  for (const delayMs of [0, 3]) {
    const slow = await start('upstream.ts', [String(delayMs)]);
    const gateway = await start('proxy.ts', ['ours'], { ...settings, ORDERS_URL: slow.url });
    await load(gateway, { call: 'GET', duration: warmUpSeconds });
    await limit({
      name: `gateway-latency-${delayMs}-ms`,
      what: `what the gateway adds to the p99 of a call, at 1,000 a second, to a service that takes ${delayMs} ms`,
      unit: 'ms',
      ours: async () => {
        const direct = await p99At1000(slow.url);
        return (await p99At1000(gateway.url)) - direct;
      },
      atMost: 1,
    });
  }
} finally {
  agent.destroy();
  for (const child of started) if (child.connected) child.disconnect();
  await issuer.close();
  await servers.stop();
}
