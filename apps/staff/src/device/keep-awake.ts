import { signal } from '@preact/signals';

/**
 * Whether this is an app of the Home Screen of an iPhone or iPad before version 18.4: it grants the request and lets the screen
 * sleep all the same (WebKit's bug 254545). The version is not in the user agent there; the Cookie Store came with it.
 */
const isBeforeIos18_4 = (): boolean =>
  (navigator as { standalone?: boolean }).standalone === true && !('cookieStore' in globalThis);

/** Keeps the screen on. The browser ends it when the page is hidden, and may end it when it likes. */
export function createAwake() {
  const isPossible = 'wakeLock' in navigator && !isBeforeIos18_4();
  /** `impossible`: the browser offers it over TLS only, not at all, or in words only. */
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
      // It may be over before this runs: then the page was hidden, and the next time it is seen, it asks again.
      state.value = lock.released ? 'unknown' : 'kept';
    } catch {
      state.value = 'impossible'; // refused, for example because the battery is low; the screen says so
    } finally {
      isAsking = false;
    }
  }
  const onVisible = (): void => void request();
  return {
    state,
    /** From now on, whenever the page is visible. */
    keep: async (): Promise<void> => {
      if (!isPossible) return;
      if (!isWanted) document.addEventListener('visibilitychange', onVisible);
      isWanted = true;
      await request();
    },
  };
}
