import { effect, signal } from '@preact/signals';
import { openRelease } from '@comanda/ui/web-app/release.ts';
import { isTimeToTake } from './is-time-to-take.ts';

const lookEveryMs = 15_000;

/** New releases of this app: a screen that nobody touches for weeks takes each at a quiet moment. */
export function openScreenRelease() {
  const release = openRelease('/kitchen');
  const isQuiet = signal(false);
  function look(): void {
    const found = release.found.value;
    if (!found) return;
    if (isTimeToTake({ now: new Date(), foundAtMs: found.foundAtMs, isQuiet: isQuiet.value })) void release.take();
  }
  const stopLooking = effect(look);
  const timer = setInterval(look, lookEveryMs);
  return {
    ...release,
    /** Told by the board: whether no ticket stands, and nothing waits. */
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
