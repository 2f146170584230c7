import { signal } from '@preact/signals';
import { onDeviceLater } from '../on-device-later.ts';

const idleMs = 5 * 60_000;
const writeEveryMs = 2000;

/** Call this after a sign-in, and when the user touches an account page. */
export const noteActivity = (userId: number): void => onDeviceLater.activity.write({ userId, at: Date.now() });

export type Lock = ReturnType<typeof openLock>;

/**
 * Protects account pages from a stranger who finds the phone: after 5 minutes without a touch on an account page, the user must
 * enter the password. The session continues, and the menu and orders stay open.
 */
export function openLock(userId: number) {
  /** True if the server requires a more recent sign-in, to be sure that the account's owner chooses the PIN. */
  const isSignInTooOld = signal(false);
  function isRecent(): boolean {
    const activity = onDeviceLater.activity.get();
    if (activity?.userId !== userId) return false;
    const idle = Date.now() - activity.at;
    // A negative idle time means that the clock was set back. That must not unlock the page.
    return idle < idleMs && idle > -writeEveryMs;
  }
  const isLocked = signal(!isRecent());
  let writtenAt = 0;

  const check = (): void => {
    isLocked.value = isSignInTooOld.value || !isRecent();
  };
  function note(): void {
    writtenAt = Date.now();
    noteActivity(userId);
  }
  function onTouch(): void {
    check();
    if (!isLocked.value && Date.now() - writtenAt >= writeEveryMs) note();
  }
  const timer = setInterval(check, 1000);
  addEventListener('pointerdown', onTouch, { capture: true });
  addEventListener('keydown', onTouch, { capture: true });
  document.addEventListener('visibilitychange', check);
  return {
    isLocked,
    isSignInTooOld,
    /** Unlocks the account pages. Call this after the user has entered the password. */
    unlock: () => {
      isSignInTooOld.value = false;
      note();
      check();
    },
    lock: () => {
      onDeviceLater.activity.write(null);
      check();
    },
    /** Locks the account pages until the user enters the password, because the server requires a recent sign-in. */
    askToSignInAgain: () => {
      isSignInTooOld.value = true;
      check();
    },
    close: () => {
      clearInterval(timer);
      removeEventListener('pointerdown', onTouch, { capture: true });
      removeEventListener('keydown', onTouch, { capture: true });
      document.removeEventListener('visibilitychange', check);
    },
  };
}
