import { setTimeout as delay } from 'node:timers/promises';

/** Returns the pause between two calls of `condition`. It grows over time, because each call costs time too. */
function pauseMs(waitedMs: number): number {
  if (waitedMs < 500) return 20;
  return waitedMs < 3_000 ? 60 : 120;
}

/**
 * Calls `condition` until it returns a truthy value, and resolves to that value. After `timeoutMs`, rejects with `what` and the
 * last value. If `condition` throws, rejects immediately. The time limit is for conditions that never become true, and must be
 * long enough for a slow machine.
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
