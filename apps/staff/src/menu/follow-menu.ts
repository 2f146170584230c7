import type { Client, Live, LiveItem } from '@comanda/client';
import { signal, type ReadonlySignal } from '@preact/signals';
import { followWholeMenu } from './whole-menu.ts';

export type FollowedMenu = {
  /** By position; null until they are known. */
  dishes: ReadonlySignal<readonly LiveItem[] | null>;
  /** Why they are not known. */
  failure: ReadonlySignal<unknown>;
  /** Follows the menu from now on, and reads it. */
  read: () => Promise<void>;
  /** Takes the answer to a change, before the feed brings it. */
  apply: (dish: LiveItem) => void;
  remove: (dishId: number) => void;
  close: () => void;
};

/** The menu, followed as soon as somebody needs it. */
export function followMenu(client: Pick<Client, 'calls' | 'liveMenu'>): FollowedMenu {
  const dishes = signal<readonly LiveItem[] | null>(null);
  const failure = signal<unknown>(null);
  let live: Live<'item'> | null = null;
  const onMenu = (all: readonly LiveItem[]): void => {
    dishes.value = byPosition(all);
    failure.value = null;
  };
  return {
    dishes,
    failure,
    read: async () => {
      live ??= followWholeMenu(client, onMenu);
      failure.value = null;
      // The live list repeats a read that failed, and does not say why it did: this one says it.
      try {
        const read = byPosition(await client.calls.listMenu());
        dishes.value ??= read;
      } catch (error) {
        if (dishes.value === null) failure.value = error;
      }
    },
    apply: (dish) => live?.apply(dish),
    remove: (dishId) => live?.remove(dishId),
    close: () => live?.close(),
  };
}

const byPosition = (dishes: readonly LiveItem[]): LiveItem[] =>
  [...dishes].sort((a, b) => a.position - b.position || a.id - b.id);
