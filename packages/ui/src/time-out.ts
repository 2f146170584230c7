/** Returns a signal that aborts after `ms`, like `AbortSignal.timeout`, which browsers have supported only since 2022. */
export function timeOut(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}
