import type { Client } from '@comanda/client';
import type { Chance } from './chance.ts';

/** The state that all participants in a simulated evening share. */
export type Evening = {
  /** The client on a waiter's phone, which the cooks also use. */
  staff: Client;
  manager: Client;
  chance: Chance;
  /**
   * Waits for a random time in this range, or until the evening ends. The range is in seconds at a real table, and the evening's
   * pace shortens it.
   */
  pass: (seconds: readonly [number, number]) => Promise<void>;
  /**
   * Makes a call and returns true if it succeeded. The evening continues after failures such as a faster colleague, a sold-out
   * dish or a restarting service.
   */
  attempt: (what: string, call: () => Promise<unknown>) => Promise<boolean>;
  /** Aborts when the evening ends. */
  signal: AbortSignal;
};
