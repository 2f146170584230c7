import { signal } from '@preact/signals';

/**
 * Returns true for a Home Screen app on an iPhone or iPad before version 18.4: the request succeeds, but the screen still sleeps
 * (WebKit bug 254545). The user agent doesn't contain the version, so this checks for the Cookie Store API, which is newer.
 */
const isBeforeIos18_4 = (): boolean =>
  (navigator as { standalone?: boolean }).standalone === true && !('cookieStore' in globalThis);

/** Keeps the screen on. The browser releases the wake lock when the page is hidden, and may do so at any time. */
export function createAwake() {
  const isPossible = 'wakeLock' in navigator && !isBeforeIos18_4();
  /** `impossible`: the browser supports wake locks only over TLS, not at all, or without effect. */
  const state = signal<'unknown' | 'kept' | 'impossible'>(isPossible ? 'unknown' : 'impossible');
  let isWanted = false;
  let isAsking = false;
  async function request(): Promise<void> {
    if (document.visibilityState !== 'visible' || state.value === 'kept' || isAsking) return;
    isAsking = true;
    try {
      const lock = await navigator.wakeLock.request('screen');
      lock.addEventListener('release', () => {
        state.value = 'unknown';
        void request();
      });
      // The page may have been hidden in the meantime, which releases the lock. It is requested again when the page is visible.
      state.value = lock.released ? 'unknown' : 'kept';
    } catch {
      state.value = 'impossible'; // rejected, for example because the battery is low; the shift's page shows this
    } finally {
      isAsking = false;
    }
  }
  const onVisible = (): void => void request();
  return {
    state,
    /** Keeps the screen on whenever the page is visible. */
    keep: async (): Promise<void> => {
      if (!isPossible) return;
      if (!isWanted) document.addEventListener('visibilitychange', onVisible);
      isWanted = true;
      await request();
    },
  };
}
