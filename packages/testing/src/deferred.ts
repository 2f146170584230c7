/**
 * Works like `Promise.withResolvers`, which the oldest supported browsers lack: some tests share this function with code that
 * runs in a browser.
 */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
