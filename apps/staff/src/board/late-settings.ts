import { CallFailure, type Client } from '@comanda/client/core';
import { waiterPauseMinutes } from '@comanda/contracts/rules';
import { openOrdering } from '@comanda/ui/open-ordering.ts';
import { computed } from '@preact/signals';
import type { MenuEntry } from '../app-menu/app-menu-entries.tsx';
import { openCategoryLimits } from '../device/category-limits.ts';
import { drawerMessages } from './messages.ts';

/** A pause of guests' orders that could not be set or ended. */
export type FailedPause = { kind: 'pause'; wanted: 'paused' | 'open'; failure: CallFailure };
type Deps = { client: Client; onFailed: (failed: FailedPause) => void };

/** The longest pause that a waiter may set ends this long before the limit, because clocks differ a little. */
const marginMs = 5_000;

/** What a board can do without for a moment: until when guests can't order, and the limits of categories. */
export function openLateSettings({ client, onFailed }: Deps) {
  const ordering = openOrdering(client);
  const limits = openCategoryLimits(client);
  async function put(wanted: FailedPause['wanted'], body: { paused_until?: string }): Promise<void> {
    try {
      await client.calls.putOrdering(body);
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure;
      onFailed({ kind: 'pause', wanted, failure });
    }
  }
  const pause = (): void => {
    const until = client.now() + waiterPauseMinutes * 60_000 - marginMs;
    void put('paused', { paused_until: new Date(until).toISOString() });
  };
  return {
    /** Null while guests may order. */
    pausedUntil: ordering.pausedUntil,
    categoryLimits: limits.current,
    /** The menu's entry that pauses guests' orders while the kitchen is busy, or lets them order again. */
    busyEntry: computed((): MenuEntry =>
      ordering.isPaused.value
        ? { text: drawerMessages().busy.resume, onChoose: () => void put('open', {}) }
        : { text: drawerMessages().busy.pause(waiterPauseMinutes), onChoose: pause },
    ),
    close: (): void => {
      limits.close();
      ordering.close();
    },
  };
}
