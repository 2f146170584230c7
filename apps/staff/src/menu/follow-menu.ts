import type { Client, Collection, LiveItem } from '@comanda/client/core';
import { menu } from '@comanda/client/collections/menu';
import { computed, signal } from '@preact/signals';

/** Follows the menu from the first `load` on. */
export function followMenu(client: Pick<Client, 'collection'>) {
  const opened = signal<Collection<LiveItem> | null>(null);
  /** Dishes by position; null until they are known. */
  const dishes = computed(() => {
    const { rows, state } = opened.value ?? {};
    return rows && state?.value !== 'loading' ? [...rows.value].sort(byPosition) : null;
  });
  return {
    dishes,
    /** Why the dishes are not known. */
    failure: computed(() => (dishes.value === null ? (opened.value?.failure.value ?? null) : null)),
    /** Loads the menu, for a page that shows it. */
    load: (): void => {
      if (opened.peek()) void opened.peek()?.load();
      else opened.value = client.collection(menu);
    },
    close: (): void => opened.peek()?.close(),
  };
}

const byPosition = (a: LiveItem, b: LiveItem): number => a.position - b.position || a.id - b.id;
