/** Returns a signal that aborts after `ms` milliseconds, like `AbortSignal.timeout`, which browsers before 2022 lack. */
export function timeOut(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}
