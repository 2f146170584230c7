import type { Who } from '@comanda/client/core';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { isShiftOf } from './device/shift.ts';
import { onDevice } from './on-device.ts';

export type ScreenName = 'board' | 'waiter' | 'manager';

type Setting = typeof onDevice.screen;
/** Returns the entry of a user's last screen. Managers have their own: on a shared tablet, waiters keep theirs. */
const settingOf = (who: Who | null): Setting => (who?.role === 'manager' ? onDevice.managersScreen : onDevice.screen);

/**
 * Returns the screen that opens if the address names none: during a shift the board, otherwise the one last selected on this
 * device. At first, that is the managers' first page; for others the board, or on a phone the waiters' screen.
 */
function homeOf(userId: number | undefined, setting: Setting): string {
  if (userId !== undefined && isShiftOf(userId)) return 'board';
  const kept = setting.get();
  if (kept !== null) return kept;
  if (setting === onDevice.managersScreen) return 'manager';
  return matchMedia('(width < 640px)').matches ? 'waiter' : 'board';
}

/**
 * Returns the part of the address after `#/`, for example `manager/menu`, and follows its changes. If the address has none, returns
 * the user's first screen.
 */
export function usePath(who: Who | null): string {
  const [path, setPath] = useState(readPath);
  const setting = settingOf(who);
  useEffect(() => {
    const follow = (): void => {
      const next = readPath();
      setPath(next);
      if (next === '' || invitationOf(next) !== null) return;
      const screen = screenOf(next);
      if (screen !== 'manager' || setting === onDevice.managersScreen) setting.write(screen);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [setting]);
  const userId = who?.userId;
  // Not at each render: a screen stays open even if another tab selects another one.
  return useMemo(() => (path === '' ? homeOf(userId, setting) : path), [path, userId, setting]);
}
const readPath = (): string => location.hash.replace(/^#\/?/, '');

/** Returns the screen that a path names; the board if it names none. */
export function screenOf(path: string): ScreenName {
  const [first] = path.split('/');
  return first === 'waiter' || first === 'manager' ? first : 'board';
}

/** Returns the token in an invitation's path; null for any other path. */
export const invitationOf = (path: string): string | null => /^invitation\/(.+)$/.exec(path)?.[1] ?? null;

/** Opens a page of this app: `goTo('#/manager/menu')`. */
export const goTo = (page: string): void => {
  location.hash = page;
};
