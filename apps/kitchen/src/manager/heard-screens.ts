import type { FeedEvent } from '@comanda/client';
import { signal } from '@preact/signals';
import { hasKeys, stored } from '@comanda/ui/stored-setting.ts';

/** A screen that was the first to show an order, since this device listens today. */
type HeardScreen = { device: string; count: number; lastAtMs: number };
type Heard = { sinceMs: number; screens: readonly HeardScreen[] };

const isToday = (atMs: number, now: number): boolean => new Date(atMs).toDateString() === new Date(now).toDateString();

/** Counts the reports of seen orders by screen, for one day. */
export function createHeardScreens(now: () => number) {
  const storage = stored('manager.screens', hasKeys<Heard>('sinceMs', 'screens'), { sinceMs: now(), screens: [] });
  const ofToday = (heard: Heard): Heard => (isToday(heard.sinceMs, now()) ? heard : { sinceMs: now(), screens: [] });
  const heard = signal(ofToday(storage.get()));
  return {
    heard,
    takeEvent: ({ type, data, time }: FeedEvent): void => {
      if (type !== 'order.seen') return;
      const { device } = data;
      const { screens, sinceMs } = ofToday(heard.value);
      const count = (screens.find((each) => each.device === device)?.count ?? 0) + 1;
      const others = screens.filter((each) => each.device !== device);
      heard.value = { sinceMs, screens: [{ device, count, lastAtMs: Date.parse(time) }, ...others] };
      storage.write(heard.value);
    },
  };
}
