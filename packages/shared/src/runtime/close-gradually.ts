const perItemMs = 10;
const stepMs = 50;

/**
 * Closes all items in random order, evenly over `windowMs` or 10 ms for each item, whichever is less, so that their clients do
 * not all reconnect at the same time. Each client is served until its turn.
 */
export async function closeGradually<T>(
  items: readonly T[],
  { windowMs, close }: { windowMs: number; close: (item: T) => void },
): Promise<void> {
  const shuffled = items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
  const durationMs = Math.min(windowMs, shuffled.length * perItemMs);
  const startedAt = performance.now();
  let closed = 0;
  while (closed < shuffled.length) {
    // Counts elapsed time, not steps: on a busy machine each step is late, and a drain that outlasts its window is cut
    // short, which closes all the remaining items at once.
    const elapsedMs = performance.now() - startedAt + stepMs;
    const due = elapsedMs < durationMs ? Math.ceil((shuffled.length * elapsedMs) / durationMs) : shuffled.length;
    for (const item of shuffled.slice(closed, due)) close(item);
    closed = due;
    if (closed < shuffled.length) await new Promise((resolve) => setTimeout(resolve, stepMs));
  }
}
