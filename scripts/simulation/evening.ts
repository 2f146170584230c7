import type { Client } from '@comanda/client';
import type { Chance } from './chance.ts';

/** What everybody of a simulated evening works with. */
export type Evening = {
  /** A waiter, whose phone the cooks use too. */
  staff: Client;
  manager: Client;
  chance: Chance;
  /** Resolves after a time of the evening, between so many seconds at a real table; at once when the evening ends. */
  pass: (seconds: readonly [number, number]) => Promise<void>;
  /** Whether the call succeeded. An evening goes on when somebody was faster, something is sold out, or a service restarts. */
  attempt: (what: string, call: () => Promise<unknown>) => Promise<boolean>;
  /** Ends the evening. */
  signal: AbortSignal;
};
