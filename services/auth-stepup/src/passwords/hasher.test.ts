import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, test } from '@jest/globals';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createHasherMetrics } from './hasher-metrics.ts';
import { createHasher, productionHashCost } from './hasher.ts';
import { createPasswordHasher } from './password-hasher.ts';

/** The nice value of each thread of this process [proc_pid_stat(5)]; null where threads have none of their own. */
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

test('when passwords and PINs are hashed, then the threads of passwords give way to those of PINs', async () => {
  const costs = { cost: productionHashCost, maxThreads: 1, maxQueue: 1 };
  const options = { ...costs, metrics: createHasherMetrics(createMetrics('test')) };
  const [passwords, pins] = [createPasswordHasher(options), createHasher('pin', options)];
  try {
    const before = niceOfThreads();
    await pins.hash('739152');
    const withPins = niceOfThreads();
    await passwords.hash('a-password-for-tests');
    await passwords.findWeakness({ password: 'a-password-for-tests', ownWords: [] });
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
