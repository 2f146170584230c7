/**
 * Works like `Promise.withResolvers`, which the oldest supported browsers lack. Some tests use this together with browser code.
 */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
