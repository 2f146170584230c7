import type { Screen } from '@comanda/contracts/screens';

export type ScreenNow = Pick<Screen, 'screen' | 'on' | 'shows' | 'station' | 'reported_at'>;

/** Returns true if `other` shows every order that `screen` shows. An expediter's screen cooks nothing, so it replaces no other. */
const replaces = (other: ScreenNow, screen: ScreenNow): boolean =>
  other.shows === screen.shows
    ? other.station === screen.station
    : other.shows === 'all_stations' && screen.shows === 'station';

/**
 * Returns the kitchen screens that went off during the running day, newest first. One whose orders another screen shows is left out:
 * cooks may have moved to that one.
 */
export const screensOff = (screens: readonly ScreenNow[], openedAt: string): readonly ScreenNow[] =>
  screens.filter(
    (screen) =>
      !screen.on &&
      Date.parse(screen.reported_at) >= Date.parse(openedAt) &&
      !screens.some((other) => other.on && replaces(other, screen)),
  );
