import type { Dependency } from './dependency.ts';

/**
 * The time between SIGTERM and the closed port. In the meantime, load balancers learn from `/readyz` that this instance is
 * stopping, and each response closes its connection, so that no request is on its way to the port when it closes.
 */
export type Drain = {
  /** A dependency for `/readyz` that is down once `begin` was called. */
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
