import type { Client, Collection, Input } from '@comanda/client/core';
import { optionGroups } from '@comanda/client/collections/option-groups';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import { computed, signal } from '@preact/signals';
import type { GroupDraft } from './group-draft.ts';

/** What was typed in a group's form, and the group as it was then; null for a new one. */
export type TypedGroup = { draft: GroupDraft; before: OptionGroup | null };

/** Follows the option groups after the first call of `load`. What was typed stays until it is saved or discarded. */
export function followOptions(client: Pick<Client, 'calls' | 'collection'>) {
  const opened = signal<Collection<OptionGroup> | null>(null);
  const typed = signal<ReadonlyMap<string, TypedGroup>>(new Map());
  /** Null until they are loaded. */
  const groups = computed(() => {
    const { rows, state } = opened.value ?? {};
    return rows && state?.value !== 'loading' ? rows.value : null;
  });
  return {
    groups,
    failure: computed(() => (groups.value === null ? (opened.value?.failure.value ?? null) : null)),
    load: (): void => {
      if (opened.peek()) void opened.peek()?.load();
      else opened.value = client.collection(optionGroups);
    },
    typed,
    setTyped: (key: string, group: TypedGroup | null): void => {
      const others = [...typed.value].filter(([each]) => each !== key);
      typed.value = new Map(group ? [...others, [key, group]] : others);
    },
    /** Takes an option off sale or puts it back, in all its dishes. @throws CallFailure */
    setAvailable: async (input: Input<'setOptionAvailability'>): Promise<void> => {
      await client.calls.setOptionAvailability(input);
    },
    close: (): void => opened.peek()?.close(),
  };
}
