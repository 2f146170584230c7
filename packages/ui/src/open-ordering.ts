import type { Client } from '@comanda/client';
import type { Ordering } from '@comanda/contracts/ordering';
import { computed, effect, signal } from '@preact/signals';
import { followVersioned } from './follow-versioned.ts';

export type FollowedOrdering = ReturnType<typeof openOrdering>;

/** Follows whether ordering is paused for guests. Fetches the state immediately. */
export function openOrdering(client: Pick<Client, 'calls' | 'feed' | 'now'>) {
  const followed = followVersioned<Ordering>(client, {
    notRead: { paused_until: null, reason: null, version: 0 },
    call: () => client.calls.getOrdering(),
    takenFrom: (event) => (event.type === 'ordering.changed' ? event.data : null),
  });
  const { state } = followed;
  const isPaused = signal(false);
  // A pause ends by itself.
  const stopTimer = effect(() => {
    const { paused_until: until } = state.value;
    const leftMs = until === null ? 0 : Date.parse(until) - client.now();
    isPaused.value = leftMs > 0;
    const timer = setTimeout(() => (isPaused.value = false), Math.min(leftMs, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  });
  void followed.read();
  return {
    ...followed,
    isPaused,
    /** The end of the current pause, or null if guests may order. */
    pausedUntil: computed(() => (isPaused.value ? state.value.paused_until : null)),
    close: (): void => {
      stopTimer();
      followed.close();
    },
  };
}
