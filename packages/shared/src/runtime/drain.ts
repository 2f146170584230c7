import type { Dependency } from './dependency.ts';

/**
 * The phase between SIGTERM and the closing of the port. During this phase, `/readyz` shows load balancers that this instance is
 * stopping, and each response closes its connection. So no request is on its way to the port when it closes.
 */
export type Drain = {
  /** A dependency for `/readyz` that goes down when `begin` is called. */
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
