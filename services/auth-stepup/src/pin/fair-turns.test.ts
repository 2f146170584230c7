import { describe, expect, test } from '@jest/globals';
import { createFairTurns, type FairTurns } from './fair-turns.ts';

const restaurant = '192.0.2.1';
const elsewhere = '192.0.2.2';
const never = 2 ** 30;

/** One task at a time. `finish` ends the one that runs; `begun` are the names of all that have begun. */
function createBench(options: { maxWaiting?: number; maxWaitMs?: number } = {}) {
  const turns = createFairTurns({ maxRunning: 1, maxWaiting: 100, maxWaitMs: never, ...options });
  const begun: string[] = [];
  const running: (() => void)[] = [];
  const run = (name: string, owner: Parameters<FairTurns['run']>[0]): Promise<void> =>
    turns.run(owner, () => {
      begun.push(name);
      return new Promise((resolve) => running.push(resolve));
    });
  const finishAll = async (tasks: readonly Promise<void>[]): Promise<void> => {
    const all = Promise.allSettled(tasks);
    let isDone = false;
    void all.then(() => (isDone = true));
    while (!isDone) {
      running.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { turns, begun, run, finishAll };
}

describe('whose turn it is', () => {
  test('when one user has many tasks, then another user of the same address waits for one of them', async () => {
    const { begun, run, finishAll } = createBench();
    const tasks = ['first', 'a1', 'a2', 'a3'].map((name) => run(name, { userId: 1, network: restaurant }));
    tasks.push(run('b1', { userId: 2, network: restaurant }));

    await finishAll(tasks);

    expect(begun).toEqual(['first', 'a1', 'b1', 'a2', 'a3']);
  });

  test('when many users of one address have tasks, then another address waits for one of them', async () => {
    const { begun, run, finishAll } = createBench();
    const tasks = [1, 2, 3, 4].map((userId) => run(`user ${userId}`, { userId, network: restaurant }));
    tasks.push(run('elsewhere', { userId: 9, network: elsewhere }));

    await finishAll(tasks);

    expect(begun).toEqual(['user 1', 'user 2', 'elsewhere', 'user 3', 'user 4']);
  });

  test('when one address has taken a quarter of the places, then it gets 503, and another address has a place', async () => {
    const { turns, run, finishAll } = createBench({ maxWaiting: 8 });
    const tasks = [1, 2, 3].map((userId) => run('', { userId, network: restaurant }));

    await expect(run('', { userId: 4, network: restaurant })).rejects.toMatchObject({ code: 'service_unavailable' });
    tasks.push(run('', { userId: 5, network: elsewhere }));
    const waiting = turns.countWaiting();

    await finishAll(tasks);
    expect([waiting, turns.countWaiting()]).toEqual([3, 0]);
  });

  test('when a task has waited for too long, then it is 503, does not run, and its place is free again', async () => {
    const { turns, begun, run, finishAll } = createBench({ maxWaiting: 4, maxWaitMs: 1 });
    const first = run('first', { userId: 1, network: restaurant });

    await expect(run('late', { userId: 2, network: restaurant })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(turns.countWaiting()).toBe(0);
    await finishAll([first]);
    const next = run('next', { userId: 3, network: restaurant });
    await finishAll([next]);

    expect(begun).toEqual(['first', 'next']);
  });
});
