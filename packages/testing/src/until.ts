import { setTimeout as delay } from 'node:timers/promises';

/**
 * Returns how long to wait before calling `condition` again, in milliseconds. The wait gets longer each time, because each call
 * takes processor time.
 */
function pauseMs(waitedMs: number): number {
  if (waitedMs < 500) return 20;
  return waitedMs < 3_000 ? 60 : 120;
}

/**
 * Calls `condition` again and again until it returns a truthy value, and returns that value. If it throws, rejects immediately.
 * After `timeoutMs` milliseconds, rejects with an error that contains `what` and the last value. The time limit only ends a test
 * whose condition never becomes true, so it must be long enough for a slow machine.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 20_000 }: { what: string; timeoutMs?: number },
): Promise<NonNullable<T>> {
  const started = Date.now();
  for (;;) {
    const response = await condition();
    if (response) return response;
    const waitedMs = Date.now() - started;
    if (waitedMs > timeoutMs)
      throw new Error(`After ${timeoutMs} ms still waiting for ${what} (last value: ${String(response)})`);
    await delay(pauseMs(waitedMs));
  }
}
