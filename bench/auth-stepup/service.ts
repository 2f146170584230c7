import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import bcrypt from 'bcrypt';
import { testSecrets } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { startServiceProcess } from '@comanda/testing/service-process';
import { startBenchServers } from '../stack.ts';
import { compare, limit, percentile } from '../support.ts';

type User = { email: string; password: string; token: string };
type Post = { body: object; token?: string; expect: number };

/** Starts auth-stepup as a process on its own real servers. Rate limits are very high unless `settings` overrides them. */
export async function startAuthStepupBench(settings: Record<string, string> = {}) {
  const servers = await startBenchServers();
  const service = await startServiceProcess('auth-stepup', {
    ...stackSettings({ servers, secrets: testSecrets() })['auth-stepup'],
    RATE_LIMIT_SIGN_IN: '1000000',
    RATE_LIMIT_SIGN_IN_ADDRESS: '1000000',
    RATE_LIMIT_REGISTRATION: '1000000',
    RATE_LIMIT_SIGN_IN_FAILURES: '1000000',
    LOG_LEVEL: 'warn',
    ...settings,
  });
  await service.ready();
  const { url } = service;

  async function post(path: string, { body, token, expect }: Post): Promise<Record<string, string>> {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== expect) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Record<string, string>;
  }
  async function createUser(index: number): Promise<User> {
    const [email, password] = [`user-${index}@bench.test`, randomBytes(12).toString('base64url')];
    await post('/auth/register', { body: { name: 'Ana', email, password }, expect: 201 });
    const pair = await post('/auth/login', { body: { email, password }, expect: 200 });
    return { email, password, token: pair['access_token'] ?? '' };
  }
  return {
    url,
    servers,
    post,
    createUsers: async (count: number): Promise<User[]> => {
      const users: User[] = [];
      for (let index = 0; index < count; index++) users.push(await createUser(index));
      return users;
    },
    stop: async (): Promise<void> => {
      await service.end('SIGTERM');
      await servers.stop();
    },
  };
}

/** Both sides hash in two threads. Comanda needs four callers to keep its threads busy, because its calls do more than hash. */
const callers = 4;
const threads = 2;
const calls = 48;

/** Runs `calls` calls, `inFlight` of them at the same time. Returns the number of calls per second. */
async function perSecond(call: (index: number) => Promise<unknown>, inFlight: number): Promise<number> {
  const started = performance.now();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < calls) await call(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return (calls * 1000) / (performance.now() - started);
}

/** Returns the response times of /livez, in milliseconds, measured until `work` has finished. */
async function livezDuring(url: string, work: Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  let over = false;
  const end = work.finally(() => (over = true));
  while (!over) {
    const started = performance.now();
    await (await fetch(`${url}/livez`)).text();
    took.push(performance.now() - started);
    await sleep(10);
  }
  await end;
  return took;
}

type Measured = { name: string; what: string; url: string; call: (index: number) => Promise<unknown> };

/** Compares the number of calls per second with native bcrypt, and measures the response times of /livez during the calls. */
export async function measureHashing({ name, what, url, call }: Measured): Promise<void> {
  const hash = await bcrypt.hash('somebody’s password', 12);
  await perSecond(call, callers); // warms up every thread with a hash
  await compare({
    name,
    what,
    unit: 'a second',
    ours: () => perSecond(call, callers),
    peers: {
      'native bcrypt': {
        run: () => perSecond(() => bcrypt.compare('somebody’s password', hash), threads),
        atLeast: 0.7,
      },
    },
  });
  await limit({
    name: `${name}-livez`,
    what: 'p99 of /livez meanwhile',
    unit: 'ms',
    ours: async () => percentile(await livezDuring(url, perSecond(call, callers)), 0.99),
    atMost: 30,
  });
}
