import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again and again, every 20 ms, until `condition` gives something truthy, and resolves with that. Rejects with `what`
 * and the last answer after `timeoutMs` (5 seconds by default); an error that `condition` throws ends it at once.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 5_000 }: { what: string; timeoutMs?: number },
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await condition();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`after ${timeoutMs} ms still waiting for ${what} (${String(answer)})`);
    await delay(20);
  }
}
