const checkEveryMs = 1000;
/** A clock that has jumped for so long has slept; a page that was hidden for so long may have. */
const minSleepMs = 3000;

/** A page in a browser. */
type Page = EventTarget & { document: EventTarget & { visibilityState: string } };

/**
 * Calls `listener` when this device may have slept, so that what is shown may be old, and connections may be dead without
 * a sign. The monotonic clock stands still while a device sleeps, and the other clock does not. A page that comes back from
 * the background, or from the browser's cache, may have been frozen. Returns a function that ends this.
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
