import { useEffect, useState } from 'preact/hooks';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';

export type ScreenName = 'board' | 'waiter' | 'manager';

/**
 * Returns the screen that opens if the address names none: the one last selected on this device, or the waiters' screen on a
 * phone.
 */
const readHome = (): string =>
  readSetting('kitchen.screen') ?? (matchMedia('(width < 640px)').matches ? 'waiter' : 'board');

/** Returns the part of the address after `#/`, for example `manager/menu`, and follows its changes. */
export function usePath(): string {
  const [home] = useState(readHome);
  const [path, setPath] = useState(() => readPath(home));
  useEffect(() => {
    const follow = (): void => {
      const next = readPath(home);
      setPath(next);
      if (screenOf(next) !== 'manager') writeSetting('kitchen.screen', screenOf(next));
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [home]);
  return path;
}
const readPath = (home: string): string => location.hash.replace(/^#\/?/, '') || home;

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
