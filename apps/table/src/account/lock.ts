import { signal } from '@preact/signals';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { who } from '../state/seat.ts';

/** When this user last touched an account page, in whichever tab, by this device's clock. */
type Activity = { userId: number; at: number };

const idleMs = 5 * 60_000;
const writeEveryMs = 2000;
const settingName = 'account-activity';

function readActivity(): Activity | null {
  try {
    return JSON.parse(readSetting(settingName) ?? 'null') as Activity | null;
  } catch {
    return null;
  }
}
function isRecent(): boolean {
  const activity = readActivity();
  if (!activity || activity.userId !== who.value?.userId) return false;
  const idle = Date.now() - activity.at;
  // A clock that was set back unlocks nothing.
  return idle < idleMs && idle > -writeEveryMs;
}

/**
 * Whether the password must be entered before account pages show anything. It hides them from somebody who finds the
 * phone; the session goes on, and the menu and orders stay open.
 */
export const isLocked = signal(true);
/** The server wants a sign-in of the last minutes, so that it is sure who chooses a PIN. */
export const isSignInTooOld = signal(false);

let writtenAt = 0;
function write(at: number): void {
  const userId = who.value?.userId;
  if (userId === undefined) return;
  writtenAt = at;
  writeSetting(settingName, JSON.stringify({ userId, at } satisfies Activity));
}
const check = (): void => {
  isLocked.value = isSignInTooOld.value || !isRecent();
};
function onTouch(): void {
  check();
  if (!isLocked.value && Date.now() - writtenAt >= writeEveryMs) write(Date.now());
}

/** After a sign-in. */
export function unlock(): void {
  isSignInTooOld.value = false;
  write(Date.now());
  check();
}
export function lock(): void {
  writeSetting(settingName, null);
  check();
}
/** Asks for the password, because the server does. */
export function askToSignInAgain(): void {
  isSignInTooOld.value = true;
  check();
}

/** Locks after 5 minutes without a touch of an account page. Returns a function that ends the watch. */
export function watchIdleness(): () => void {
  check();
  const timer = setInterval(check, 1000);
  addEventListener('pointerdown', onTouch, { capture: true });
  addEventListener('keydown', onTouch, { capture: true });
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    removeEventListener('pointerdown', onTouch, { capture: true });
    removeEventListener('keydown', onTouch, { capture: true });
    document.removeEventListener('visibilitychange', check);
  };
}
