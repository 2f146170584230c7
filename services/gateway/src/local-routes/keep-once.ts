/** Creates a value on the first call and returns the same value afterwards. If creation fails, the next call tries again. */
export function keepOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
}
