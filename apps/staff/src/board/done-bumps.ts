import { signal } from '@preact/signals';
import { undoForMs, type Bump } from '../bumps/bump.ts';

/** A bump that may be taken back, with the time until which the button is shown. */
export type Undoable = { bump: Bump; untilMs: number };
export type DoneBumps = ReturnType<typeof createDoneBumps>;

/** So many orders are offered to be brought back. */
export const maxRecalls = 50;

/** The bumps that were made on this screen and can be taken back. */
export function createDoneBumps() {
  const undoable = signal<Undoable | null>(null);
  const recalls = signal<readonly Bump[]>([]);
  return {
    undoable,
    /** The newest first. */
    recalls,
    add: (bump: Bump): void => {
      undoable.value = { bump, untilMs: bump.atMs + undoForMs };
      recalls.value = [bump, ...recalls.value].slice(0, maxRecalls);
    },
    /** It was taken back, or the server has not made it. */
    remove: ({ id }: Bump): void => {
      if (undoable.value?.bump.id === id) undoable.value = null;
      recalls.value = recalls.value.filter((bump) => bump.id !== id);
    },
  };
}
