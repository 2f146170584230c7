import { signal } from '@preact/signals';

/** Keeps the screen on. The browser ends it when the page is hidden. */
export function createAwake() {
  /** `impossible`: the browser offers it over TLS only, or not at all. */
  const state = signal<'unknown' | 'kept' | 'impossible'>('wakeLock' in navigator ? 'unknown' : 'impossible');
  async function request(): Promise<void> {
    if (document.visibilityState !== 'visible') return;
    try {
      await navigator.wakeLock.request('screen');
      state.value = 'kept';
    } catch {
      state.value = 'impossible'; // refused, for example because the battery is low; the screen says so
    }
  }
  const onVisible = (): void => void request();
  return {
    state,
    /** From now on, whenever the page is visible. */
    keep: async (): Promise<void> => {
      if (!('wakeLock' in navigator)) return;
      document.addEventListener('visibilitychange', onVisible);
      await request();
    },
  };
}
