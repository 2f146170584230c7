import { useState } from 'preact/hooks';
import type { DrawerName } from './drawers.tsx';

/** The open drawer. All-day stays open: it comes back after a drawer that was opened over it is closed. */
export function useDrawer() {
  const [isAllDay, setAllDay] = useState(false);
  const [over, setOver] = useState<Exclude<DrawerName, 'all_day'> | null>(null);
  /** Opens a drawer, or closes the one in front if `name` is null. */
  function setDrawer(name: DrawerName | null): void {
    if (name === 'all_day') setAllDay(true);
    else if (name === null && over === null) setAllDay(false);
    setOver(name === 'all_day' ? null : name);
  }
  return { drawer: over ?? (isAllDay ? ('all_day' as const) : null), setDrawer };
}
