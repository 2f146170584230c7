import { signal } from '@preact/signals';

/** Keeps the screen on. The browser ends it when the page is hidden, and may end it when it likes. */
export function createAwake() {
  /** `impossible`: the browser offers it over TLS only, or not at all. */
  const state = signal<'unknown' | 'kept' | 'impossible'>('wakeLock' in navigator ? 'unknown' : 'impossible');
  let isWanted = false;
  let isAsking = false;
  async function request(): Promise<void> {
    if (document.visibilityState !== 'visible' || state.value === 'kept' || isAsking) return;
    isAsking = true;
    try {
      const lock = await navigator.wakeLock.request('screen');
      state.value = 'kept';
      lock.addEventListener('release', () => {
        state.value = 'unknown';
        void request();
      });
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
      if (!('wakeLock' in navigator)) return;
      if (!isWanted) document.addEventListener('visibilitychange', onVisible);
      isWanted = true;
      await request();
    },
  };
}
