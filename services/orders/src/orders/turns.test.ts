import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { problem } from '@comanda/contracts/problems';
import { createTurns } from './turns.ts';

describe('turns', () => {
  test('when several ask for one key, then one works at a time, in the order of asking; another key need not wait', async () => {
    const inTurn = createTurns();
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await turn();
      log.push(`${name} ends`);
      return name;
    };
    const done = Promise.all([inTurn(1, work('a')), inTurn(1, work('b')), inTurn(2, work('c')), inTurn(1, work('d'))]);
    expect(await done).toEqual(['a', 'b', 'c', 'd']);
    expect(log.filter((line) => !line.startsWith('c'))).toEqual(
      ['a', 'b', 'd'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
    expect(log.indexOf('c begins')).toBeLessThan(log.indexOf('a ends'));
  });

  test('when one is refused, then the next has its turn all the same', async () => {
    const inTurn = createTurns();
    const refused = inTurn(1, () => Promise.reject(problem('illegal_transition', { allowed_transitions: [] })));
    const next = inTurn(1, () => Promise.resolve('done'));
    await expect(refused).rejects.toMatchObject({ code: 'illegal_transition' });
    expect(await next).toBe('done');
  });

  test('when the database failed one, then those who wait are refused at once, and who comes later is not', async () => {
    const inTurn = createTurns();
    let worked = 0;
    const failed = inTurn(1, () => Promise.reject(new Error('connection lost')));
    const waiting = [1, 2, 3].map(() => inTurn(1, () => Promise.resolve(worked++)));
    await expect(failed).rejects.toThrow('connection lost');
    for (const each of waiting) await expect(each).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(worked).toBe(0);
    expect(await inTurn(1, () => Promise.resolve('done'))).toBe('done');
  });
});
