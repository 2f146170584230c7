import { describe, expect, test } from '@jest/globals';
import { createTurns, within } from './turns.ts';

const inMs = (ms: number): number => performance.now() + ms;

describe('turns', () => {
  test('when the first call ends in time, then the second goes on after it, whatever became of it', async () => {
    const inTurn = createTurns();
    const gate = Promise.withResolvers<string>();
    const seen: string[] = [];
    const first = inTurn({ who: 'ana', deadline: inMs(1000), work: () => gate.promise });
    const second = inTurn({ who: 'ana', deadline: inMs(1000), work: async () => seen.push('second') });
    const other = inTurn({ who: 'rui', deadline: inMs(1000), work: async () => seen.push('other') });
    await other;
    expect(seen).toEqual(['other']);
    gate.reject(new Error('refused'));
    await expect(first).rejects.toThrow('refused');
    await second;
    expect(seen).toEqual(['other', 'second']);
  });

  test('when the first call takes longer than the second waits, then 409, and the first is not disturbed', async () => {
    const inTurn = createTurns();
    const gate = Promise.withResolvers<string>();
    const first = inTurn({ who: 'ana', deadline: inMs(50), work: () => gate.promise });
    const second = inTurn({ who: 'ana', deadline: inMs(50), work: async () => 'never' });
    await expect(second).rejects.toMatchObject({ code: 'request_in_progress', headers: { 'Retry-After': '1' } });
    gate.resolve('posted');
    expect(await first).toBe('posted');
    expect(await inTurn({ who: 'ana', deadline: inMs(50), work: async () => 'third' })).toBe('third');
  });

  test('when the first was answered and still goes on, then its turn lasts until it has ended', async () => {
    const inTurn = createTurns();
    const posting = Promise.withResolvers<string>();
    const first = inTurn({
      who: 'ana',
      deadline: inMs(50),
      work: async (last) => {
        last(posting.promise);
        return 'answered';
      },
    });
    expect(await first).toBe('answered');
    await expect(inTurn({ who: 'ana', deadline: inMs(20), work: async () => 'too early' })).rejects.toMatchObject({
      code: 'request_in_progress',
    });
    posting.reject(new Error('the database is gone'));
    expect(await inTurn({ who: 'ana', deadline: inMs(1000), work: async () => 'second' })).toBe('second');
  });

  test('when work fails after nobody waits for it any more, then nothing breaks', async () => {
    const gate = Promise.withResolvers<string>();
    const waited = within(gate.promise, { deadline: performance.now(), otherwise: () => new Error('late') });
    await expect(waited).rejects.toThrow('late');
    gate.reject(new Error('afterwards'));
    await expect(gate.promise).rejects.toThrow('afterwards');
  });
});
