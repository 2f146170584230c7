import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, test } from '@jest/globals';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createHasherMetrics } from './hasher-metrics.ts';
import { createHasher, productionHashCost } from './hasher.ts';
import { createPasswordHasher, passwordTurnOf } from './password-hasher.ts';

const restaurant = '192.0.2.1';
const visitor = passwordTurnOf(restaurant);
const never = 2 ** 30;

/** Returns the nice value of each thread in this process [proc_pid_stat(5)]; null on systems without nice values for threads. */
function niceOfThreads(): Map<string, number> | null {
  if (process.platform !== 'linux') return null;
  const threads = readdirSync('/proc/self/task').map((id): [string, number] => {
    const fields = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return [id, Number(fields[16])];
  });
  return new Map(threads);
}

test('password hashing gives way to PIN hashing', async () => {
  const options = { cost: productionHashCost, maxThreads: 1, metrics: createHasherMetrics(createMetrics('test')) };
  const passwords = createPasswordHasher({ ...options, maxWaiting: 1, maxWaitMs: never });
  const pins = createHasher('pin', { ...options, maxQueue: 1 });
  try {
    const before = niceOfThreads();
    await pins.hash('739152');
    const withPins = niceOfThreads();
    await passwords.hash('a-password-for-tests', visitor);
    await passwords.findWeakness({ password: 'a-password-for-tests', ownWords: [] }, visitor);
    const withPasswords = niceOfThreads();

    const newSince = (earlier: typeof before, later: typeof before): number[] =>
      [...(later ?? [])].filter(([id]) => !earlier?.has(id)).map(([, nice]) => nice);
    const lowered = Math.min(19, getPriority() + 5);
    const isLinux = before !== null;
    expect(newSince(before, withPins)).not.toContain(lowered);
    expect(newSince(withPins, withPasswords).filter((nice) => nice === lowered)).toHaveLength(isLinux ? 2 : 0);
  } finally {
    await Promise.all([passwords.close(), pins.close()]);
  }
});

test('visitors, staff and other addresses wait for only one task, even if customers fill all their own places', async () => {
  const metrics = createHasherMetrics(createMetrics('test'));
  const passwords = createPasswordHasher({ cost: 4, maxThreads: 1, maxWaiting: 12, maxWaitMs: never, metrics });
  const hashed: string[] = [];
  const check = (who: string, owner: ReturnType<typeof passwordTurnOf>): Promise<unknown> =>
    passwords.matches({ text: 'a-guess', hash: null }, owner).then(() => hashed.push(who));
  const customer = (id: number) => check(`customer ${id}`, passwordTurnOf(restaurant, { id, role: 'customer' }));
  try {
    const tasks = [1, 2, 3, 4].map(customer);
    await expect(customer(5)).rejects.toMatchObject({ code: 'service_unavailable' });
    tasks.push(check('visitor', visitor));
    tasks.push(check('waiter', passwordTurnOf(restaurant, { id: 9, role: 'waiter' })));
    tasks.push(check('elsewhere', passwordTurnOf('192.0.2.2')));
    await Promise.all(tasks);

    expect(hashed.slice(0, 5)).toEqual(['customer 1', 'customer 2', 'visitor', 'waiter', 'elsewhere']);
  } finally {
    await passwords.close();
  }
});
