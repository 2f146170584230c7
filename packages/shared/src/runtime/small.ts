/**
 * Takes the WebSocket client and its events out of `node:http`. The first import of it as an ES module reads every one of
 * its exports, and these bring in Node's whole fetch, which no service uses. To be called before that import.
 */
export function leaveOutWebSocketClient(): void {
  const http = process.getBuiltinModule('node:http') as Record<string, unknown>;
  for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) delete http[name];
}

/**
 * Gives back what loading has left, which else stays as long as little happens. It takes a good 0.1 s in which nothing
 * else runs: for the time before anybody is served. Only with `--expose-gc`.
 */
export function forgetLoading(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
