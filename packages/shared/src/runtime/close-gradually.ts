const perItemMs = 10;
const stepMs = 50;

/**
 * Closes all items one by one, in random order, so that their clients do not all reconnect at the same time. The closing is
 * spread evenly over `windowMs` milliseconds, or over 10 ms per item if that is less. Each client is served until its item is
 * closed.
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
    // Uses the elapsed time instead of counting steps: on a busy machine, each step is late, and if the closing outlasts its
    // window, all remaining items are closed at once.
    const elapsedMs = performance.now() - startedAt + stepMs;
    const due = elapsedMs < durationMs ? Math.ceil((shuffled.length * elapsedMs) / durationMs) : shuffled.length;
    for (const item of shuffled.slice(closed, due)) close(item);
    closed = due;
    if (closed < shuffled.length) await new Promise((resolve) => setTimeout(resolve, stepMs));
  }
}
