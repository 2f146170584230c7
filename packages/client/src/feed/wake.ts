const checkEveryMs = 1000;
/** The minimum duration of sleep, in milliseconds: how far the wall clock must jump, or how long a page must be hidden. */
const minSleepMs = 3000;

/** The parts of a browser page that this file uses. */
type Page = EventTarget & { document: EventTarget & { visibilityState: string } };

/**
 * Calls `listener` when this device may have slept. The screen may then be out of date, and connections may be dead although no
 * error was reported. During sleep, the device's monotonic clock stops while its wall clock continues. A page may also have
 * been frozen in the background or in the browser's cache. Returns a function that stops the calls.
 */
export function whenAwake(listener: () => void): () => void {
  const page = 'document' in globalThis ? (globalThis as unknown as Page) : null;
  const sleptMs = (): number => Date.now() - performance.now();
  let before = sleptMs();
  let hiddenAt: number | null = null;
  const timer = setInterval(() => {
    const jumpMs = sleptMs() - before;
    before += jumpMs;
    if (jumpMs > minSleepMs) listener();
  }, checkEveryMs);

  function onVisibility(): void {
    const wasHiddenAt = hiddenAt;
    hiddenAt = page?.document.visibilityState === 'hidden' ? Date.now() : null;
    if (hiddenAt !== null || wasHiddenAt === null || Date.now() - wasHiddenAt < minSleepMs) return;
    before = sleptMs();
    listener();
  }
  function onPageShow(event: Event): void {
    if ((event as Event & { persisted?: boolean }).persisted === true) listener();
  }
  page?.document.addEventListener('visibilitychange', onVisibility);
  page?.addEventListener('pageshow', onPageShow);
  return () => {
    clearInterval(timer);
    page?.document.removeEventListener('visibilitychange', onVisibility);
    page?.removeEventListener('pageshow', onPageShow);
  };
}
