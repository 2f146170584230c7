import type { Client, Collection } from '@comanda/client/core';
import { stops } from '@comanda/client/collections/stops';
import type { Stops } from '@comanda/contracts/stops';
import { computed, signal } from '@preact/signals';

const notLoaded: Stops = { transfers: null, sign_ups: null, version: 0 };

/**
 * Keeps track of what managers have stopped, such as transfers, after the first call of `load`. Before the data has arrived,
 * nothing appears as stopped, but the server still rejects calls that are stopped.
 */
export function openStops(client: Pick<Client, 'collection'>) {
  const collection = signal<Collection<Stops> | null>(null);
  return {
    state: computed(() => collection.value?.rows.value[0] ?? notLoaded),
    isLoaded: computed(() => collection.value?.isLoaded.value ?? false),
    /** Loads the stops. Call it on each page that shows them. */
    load: (): void => {
      if (collection.peek()) void collection.peek()?.load();
      else collection.value = client.collection(stops);
    },
    close: (): void => collection.peek()?.close(),
  };
}
