import { CallFailure } from '@comanda/client';
import { isListOf, stored } from '@comanda/ui/stored-setting.ts';
import { computed, signal } from '@preact/signals';

/** A failure without its methods: `message` is not among what JSON takes of an error. */
type FailureParts = Pick<CallFailure, 'message' | 'code' | 'outcome'> & {
  problem?: NonNullable<CallFailure['problem']>;
};
type Kept<E> = { entry: E; failure: FailureParts | null };
export type WithRefusal = { refused?: CallFailure };

/** What was not sent, and why the server refused it, if it did: on this device until somebody has read it. */
export function keepRefused<E extends { key: string }>(name: string) {
  const storage = stored(name, isListOf<Kept<E>>('entry', 'failure'), []);
  const kept = signal(storage.get());
  /** Other tabs keep theirs there too. */
  function set(change: (all: readonly Kept<E>[]) => readonly Kept<E>[]): void {
    kept.value = change(kept.peek());
    storage.write(change(storage.get()));
  }
  const without = (key: string) => (all: readonly Kept<E>[]) => all.filter(({ entry }) => entry.key !== key);
  return {
    entries: computed((): readonly (E & WithRefusal)[] =>
      kept.value.map(({ entry, failure }) => ({
        ...entry,
        ...(failure && { refused: new CallFailure(failure.message, failure) }),
      })),
    ),
    add: (entry: E, failure: CallFailure | null): void =>
      set((all) => [...without(entry.key)(all), { entry, failure: failure && partsOf(failure) }]),
    remove: (key: string): E | undefined => {
      const found = kept.peek().find(({ entry }) => entry.key === key);
      set(without(key));
      return found?.entry;
    },
  };
}

const partsOf = ({ message, code, outcome, problem }: CallFailure): FailureParts => ({
  message,
  code,
  outcome,
  ...(problem && { problem }),
});
