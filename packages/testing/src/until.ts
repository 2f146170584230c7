import { setTimeout as delay } from 'node:timers/promises';

/**
 * Calls `condition` every 20 ms until it gives a truthy value, and resolves with that. Rejects with `what` and the last
 * value after `timeoutMs` (5 seconds by default), and at once if `condition` throws.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 5_000 }: { what: string; timeoutMs?: number },
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await condition();
    if (answer) return answer;
    if (Date.now() > deadline)
      throw new Error(`After ${timeoutMs} ms still waiting for ${what} (last value: ${String(answer)})`);
    await delay(20);
  }
}
