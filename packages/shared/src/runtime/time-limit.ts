/**
 * Waits for `work` until `deadline` (in milliseconds of `performance.now()`), then rejects with the error from `onTimeout`. The
 * work itself continues, and if it fails later, the failure is ignored. If the result arrived before the deadline, it is
 * returned, even if this process got CPU time only later.
 */
export async function withTimeLimit<T>(
  work: Promise<T>,
  { deadline, onTimeout }: { deadline: number; onTimeout: () => Error },
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  // After a busy time, the event loop runs its timers first, then reads what has arrived in the meantime, then runs immediates.
  const end = (): void => void setImmediate(() => reject(onTimeout()));
  const timer = setTimeout(end, Math.max(0, deadline - performance.now()));
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
