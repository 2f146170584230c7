import type { Dependency } from './dependency.ts';

/**
 * The time between SIGTERM and the closed port. Balancers learn meanwhile from `/readyz` that this instance stops, and
 * each answer closes its connection, so that no request is on its way to the port when it closes.
 */
export type Drain = {
  /** For `/readyz`: down from `begin` on. */
  readonly dependency: Dependency;
  isDraining: () => boolean;
  begin: () => void;
};

export function createDrain(): Drain {
  let draining = false;
  return {
    dependency: { name: 'port', need: 'hard', isUp: () => !draining },
    isDraining: () => draining,
    begin: () => {
      draining = true;
    },
  };
}
