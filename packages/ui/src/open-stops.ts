import type { Client, Collection } from '@comanda/client';
import { stops } from '@comanda/client/collections/stops';
import type { Stops } from '@comanda/contracts/stops';
import { computed, signal } from '@preact/signals';

export type FollowedStops = ReturnType<typeof openStops>;

const notLoaded: Stops = { transfers: null, sign_ups: null, version: 0 };

/**
 * Follows the restaurant's stops from the first `load` on. Until they are loaded, nothing counts as stopped, but the server still
 * rejects stopped calls.
 */
export function openStops(client: Pick<Client, 'collection'>) {
  const collection = signal<Collection<Stops> | null>(null);
  return {
    state: computed(() => collection.value?.rows.value[0] ?? notLoaded),
    isLoaded: computed(() => collection.value?.isLoaded.value ?? false),
    /** Loads them, for a page that shows them. */
    load: (): void => {
      if (collection.peek()) void collection.peek()?.load();
      else collection.value = client.collection(stops);
    },
    close: (): void => collection.peek()?.close(),
  };
}
