/**
 * Waits for `work` until `deadline` [performance.now()]; past it, rejects with what `onTimeout` makes. The work itself
 * goes on, and its later failure is not reported. What has arrived before the deadline counts, also if this process got no
 * processor until after it.
 */
export async function withTimeLimit<T>(
  work: Promise<T>,
  { deadline, onTimeout }: { deadline: number; onTimeout: () => Error },
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  // The event loop runs its timers before it reads what has arrived meanwhile, and immediates after that.
  const end = (): void => void setImmediate(() => reject(onTimeout()));
  const timer = setTimeout(end, Math.max(0, deadline - performance.now()));
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
