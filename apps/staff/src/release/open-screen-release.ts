import { effect, signal } from '@preact/signals';
import { restaurantClock } from '@comanda/ui/restaurant-time.ts';
import { openRelease } from '@comanda/ui/web-app/release.ts';
import { isTimeToTake } from './is-time-to-take.ts';

export type ScreenRelease = ReturnType<typeof openScreenRelease>;

const lookEveryMs = 15_000;

/** Watches for new releases of this app. A screen that nobody touches for weeks still loads each new one, at a quiet moment. */
export function openScreenRelease() {
  const release = openRelease('/kitchen');
  const isQuiet = signal(false);
  function look(): void {
    const found = release.found.value;
    if (!found) return;
    const { timeZone } = restaurantClock.value;
    const moment = { now: Date.now(), foundAtMs: found.foundAtMs, isQuiet: isQuiet.value, timeZone };
    if (isTimeToTake(moment)) void release.take();
  }
  const stopLooking = effect(look);
  const timer = setInterval(look, lookEveryMs);
  return {
    ...release,
    /** The board calls this with true if there are no tickets and no unsent work. */
    setQuiet: (isNowQuiet: boolean): void => {
      isQuiet.value = isNowQuiet;
    },
    close: (): void => {
      clearInterval(timer);
      stopLooking();
      release.close();
    },
  };
}
