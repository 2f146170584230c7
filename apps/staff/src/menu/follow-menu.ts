import type { Client, Collection, LiveItem } from '@comanda/client/core';
import { menu } from '@comanda/client/collections/menu';
import { computed, signal } from '@preact/signals';

/** Follows the menu after the first call of `load`. */
export function followMenu(client: Pick<Client, 'collection'>) {
  const opened = signal<Collection<LiveItem> | null>(null);
  /** The dishes, sorted by position; null until they are loaded. */
  const dishes = computed(() => {
    const { rows, state } = opened.value ?? {};
    return rows && state?.value !== 'loading' ? [...rows.value].sort(byPosition) : null;
  });
  return {
    dishes,
    /** Why the dishes could not be loaded; null if they were. */
    failure: computed(() => (dishes.value === null ? (opened.value?.failure.value ?? null) : null)),
    /** Loads the menu. Call this on a page that shows it. */
    load: (): void => {
      if (opened.peek()) void opened.peek()?.load();
      else opened.value = client.collection(menu);
    },
    close: (): void => opened.peek()?.close(),
  };
}

const byPosition = (a: LiveItem, b: LiveItem): number => a.position - b.position || a.id - b.id;
