/** Works like `Promise.withResolvers`, for tests that run with browser code, which has only the oldest browsers' built-ins. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
