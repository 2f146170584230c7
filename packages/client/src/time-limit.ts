/**
 * Creates a signal that aborts after `ms`, or with `outer` and its reason. Call `end` when the limited work has ended.
 * `AbortSignal.timeout` and `AbortSignal.any` would do the same, but the oldest supported browsers lack them.
 */
export function timeLimit(ms: number, outer?: AbortSignal): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const onOuter = (): void => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(new DOMException(`Nothing came for ${ms} ms.`, 'TimeoutError')), ms);
  if (outer?.aborted) onOuter();
  outer?.addEventListener('abort', onOuter, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuter);
    },
  };
}
