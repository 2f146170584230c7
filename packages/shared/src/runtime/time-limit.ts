/**
 * Waits for `work` until `deadline` [performance.now()]; past it, rejects with what `onTimeout` makes. The work itself
 * goes on, and its later failure is not reported.
 */
export async function withTimeLimit<T>(
  work: Promise<T>,
  { deadline, onTimeout }: { deadline: number; onTimeout: () => Error },
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(onTimeout()), Math.max(0, deadline - performance.now()));
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
