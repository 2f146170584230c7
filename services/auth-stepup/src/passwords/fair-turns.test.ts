import { describe, expect, test } from '@jest/globals';
import { createFairTurns, type TurnOwner } from './fair-turns.ts';

const restaurant = '192.0.2.1';
const elsewhere = '192.0.2.2';
const never = 2 ** 30;
const group = 'customers';

/**
 * Creates turns that run one task at a time. `finish` ends the running task; `started` contains the names of all started tasks.
 */
function createBench(options: { maxWaiting?: number; maxWaitMs?: number } = {}) {
  const turns = createFairTurns({ maxRunning: 1, maxWaiting: 100, maxWaitMs: never, ...options });
  const started: string[] = [];
  const running: (() => void)[] = [];
  const run = async (name: string, owner: TurnOwner): Promise<void> => {
    using _ = await turns.take(owner);
    started.push(name);
    await new Promise<void>((resolve) => running.push(resolve));
  };
  const finishAll = async (tasks: readonly Promise<void>[]): Promise<void> => {
    const all = Promise.allSettled(tasks);
    let isDone = false;
    void all.then(() => (isDone = true));
    while (!isDone) {
      running.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { turns, started, run, finishAll };
}

describe('when hashing tasks take turns', () => {
  test("one user's many tasks delay another user at the same address by only one task", async () => {
    const { started, run, finishAll } = createBench();
    const tasks = ['first', 'a1', 'a2', 'a3'].map((name) => run(name, { userId: 1, network: restaurant, group }));
    tasks.push(run('b1', { userId: 2, network: restaurant, group }));

    await finishAll(tasks);

    expect(started).toEqual(['first', 'a1', 'b1', 'a2', 'a3']);
  });

  test("one address's many tasks delay another address by only one task", async () => {
    const { started, run, finishAll } = createBench();
    const tasks = [1, 2, 3, 4].map((userId) => run(`user ${userId}`, { userId, network: restaurant, group }));
    tasks.push(run('elsewhere', { userId: 9, network: elsewhere, group }));

    await finishAll(tasks);

    expect(started).toEqual(['user 1', 'user 2', 'elsewhere', 'user 3', 'user 4']);
  });

  test('staff wait for only one task from each group of customers, even if customers fill all their places at the address', async () => {
    const { turns, started, run, finishAll } = createBench({ maxWaiting: 8 });
    const newcomer = (userId: number) => run(`new ${userId}`, { userId, network: restaurant, group: 'newcomers' });
    const customer = (userId: number) => run(`old ${userId}`, { userId, network: restaurant, group: 'customers' });
    const tasks = [newcomer(1), newcomer(2), newcomer(3), customer(4), customer(5)];

    await expect(newcomer(6)).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(customer(7)).rejects.toMatchObject({ code: 'service_unavailable' });
    tasks.push(run('waiter', { userId: 9, network: restaurant, group: 'staff' }));
    const waiting = turns.countWaiting();
    await finishAll(tasks);

    expect(waiting).toBe(5);
    expect(started).toEqual(['new 1', 'new 2', 'old 4', 'waiter', 'new 3', 'old 5']);
  });

  test('an address can take only a quarter of all places, and gets a 503 for further tasks', async () => {
    const { turns, run, finishAll } = createBench({ maxWaiting: 8 });
    const tasks = [1, 2, 3].map((userId) => run('', { userId, network: restaurant, group }));

    await expect(run('', { userId: 4, network: restaurant, group })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    tasks.push(run('', { userId: 5, network: elsewhere, group }));
    const waiting = turns.countWaiting();

    await finishAll(tasks);
    expect([waiting, turns.countWaiting()]).toEqual([3, 0]);
  });

  test("a task that waits too long gets a 503, doesn't run and frees its place", async () => {
    const { turns, started, run, finishAll } = createBench({ maxWaiting: 4, maxWaitMs: 1 });
    const first = run('first', { userId: 1, network: restaurant, group });

    await expect(run('late', { userId: 2, network: restaurant, group })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(turns.countWaiting()).toBe(0);
    await finishAll([first]);
    const next = run('next', { userId: 3, network: restaurant, group });
    await finishAll([next]);

    expect(started).toEqual(['first', 'next']);
  });
});
