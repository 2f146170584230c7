/**
 * Waits for `work` until `deadline` [performance.now()], then rejects with the result of `onTimeout`. The work itself continues,
 * and its later failure is not reported. A result that has arrived before the deadline counts, even if this process got no CPU
 * time until after it.
 */
export async function withTimeLimit<T>(
  work: Promise<T>,
  { deadline, onTimeout }: { deadline: number; onTimeout: () => Error },
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  // The event loop runs its timers before it reads what has arrived in the meantime, and runs immediates after that.
  const end = (): void => void setImmediate(() => reject(onTimeout()));
  const timer = setTimeout(end, Math.max(0, deadline - performance.now()));
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
