import { signal } from '@preact/signals';

/**
 * Returns true for a Home Screen app on an iPhone or iPad before version 18.4: it grants the request, but the screen still sleeps
 * (WebKit's bug 254545). The user agent doesn't contain the version, so this checks for the Cookie Store, which came with it.
 */
const isBeforeIos18_4 = (): boolean =>
  (navigator as { standalone?: boolean }).standalone === true && !('cookieStore' in globalThis);

/** Keeps the screen on. The browser ends this when the page is hidden, and may end it at any time. */
export function createAwake() {
  const isPossible = 'wakeLock' in navigator && !isBeforeIos18_4();
  /** `impossible`: the browser offers it only over TLS, not at all, or without effect. */
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
      // The lock may be released before this runs: the page was hidden, and asks again when it is visible.
      state.value = lock.released ? 'unknown' : 'kept';
    } catch {
      state.value = 'impossible'; // rejected, for example because the battery is low; the screen shows it
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
