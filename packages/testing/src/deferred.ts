/** What `Promise.withResolvers` returns; tests beside the code of browsers have only the built-ins of the oldest ones. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
