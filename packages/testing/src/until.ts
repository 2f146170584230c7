import { setTimeout as delay } from 'node:timers/promises';

/** Returns the pause between two calls of `condition`. It gets longer after a while, because each call takes time too. */
function pauseMs(waitedMs: number): number {
  if (waitedMs < 500) return 20;
  return waitedMs < 3_000 ? 60 : 120;
}

/**
 * Calls `condition` repeatedly until it returns a truthy value, and resolves with that value. Rejects with `what` and the last
 * value after `timeoutMs`, and immediately if `condition` throws. The time limit is for conditions that never become true, even
 * on a slow machine; it does not promise how long something takes.
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
