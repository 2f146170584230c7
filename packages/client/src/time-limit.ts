/**
 * Returns a signal that aborts after `ms` milliseconds, or when `outer` aborts. Call `end` when the work is finished. The
 * oldest supported browsers have neither `AbortSignal.timeout` nor `AbortSignal.any`.
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
