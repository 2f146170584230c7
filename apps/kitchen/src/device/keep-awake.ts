import { signal } from '@preact/signals';

/** Whether the screen stays on. `impossible`: the browser offers it over TLS only, or not at all. */
export const awake = signal<'unknown' | 'kept' | 'impossible'>('wakeLock' in navigator ? 'unknown' : 'impossible');

/** Asks the browser to keep the screen on, and again whenever the page becomes visible. */
export async function keepAwake(): Promise<void> {
  if (!('wakeLock' in navigator)) return;
  await request();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void request();
  });
}

async function request(): Promise<void> {
  try {
    await navigator.wakeLock.request('screen');
    awake.value = 'kept';
  } catch {
    awake.value = 'impossible'; // refused, for example because the battery is low; the screen says so
  }
}
