import { signal } from '@preact/signals';
import { undoForMs, type Bump } from '../bumps/bump.ts';

/** A bump that can be undone, and until when the Undo button is shown, in milliseconds by the server's clock. */
type Undoable = { bump: Bump; untilMs: number };
export type DoneBumps = ReturnType<typeof createDoneBumps>;

/** The maximum number of orders that can be recalled. */
export const maxRecalls = 50;

/** The bumps on this screen that can be undone. */
export function createDoneBumps() {
  const undoable = signal<Undoable | null>(null);
  const recalls = signal<readonly Bump[]>([]);
  return {
    undoable,
    /** The bumps that can be recalled, newest first. */
    recalls,
    add: (bump: Bump): void => {
      undoable.value = { bump, untilMs: bump.atMs + undoForMs };
      recalls.value = [bump, ...recalls.value].slice(0, maxRecalls);
    },
    /** Removes a bump that was undone, or that the server has not applied. */
    remove: ({ id }: Bump): void => {
      if (undoable.value?.bump.id === id) undoable.value = null;
      recalls.value = recalls.value.filter((bump) => bump.id !== id);
    },
  };
}
