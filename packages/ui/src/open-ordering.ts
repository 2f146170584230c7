import type { Client } from '@comanda/client/core';
import { ordering } from '@comanda/client/collections/ordering';
import { computed, effect, signal } from '@preact/signals';

const notLoaded = { paused_until: null, reason: null, version: 0 };

/** Keeps track of the ordering pause, during which guests can't order. */
export function openOrdering(client: Pick<Client, 'collection' | 'now'>) {
  const { rows, isLoaded, load, close } = client.collection(ordering);
  const state = computed(() => rows.value[0] ?? notLoaded);
  const isPaused = signal(false);
  // No event reports that a pause is over, so a timer ends it.
  const stopTimer = effect(() => {
    const { paused_until: until } = state.value;
    const leftMs = until === null ? 0 : Date.parse(until) - client.now();
    isPaused.value = leftMs > 0;
    const timer = setTimeout(() => (isPaused.value = false), Math.min(leftMs, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  });
  return {
    state,
    isLoaded,
    load,
    isPaused,
    /** When the current pause ends (ISO 8601), or null if guests can order. */
    pausedUntil: computed(() => (isPaused.value ? state.value.paused_until : null)),
    close: (): void => {
      stopTimer();
      close();
    },
  };
}
