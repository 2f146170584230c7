import type { Client } from '@comanda/client';
import type { Chance } from './chance.ts';

/** The things that all participants in a simulated evening share. */
export type Evening = {
  /** The client on a waiter's phone, which the cooks also use. */
  staff: Client;
  manager: Client;
  chance: Chance;
  /** Waits for a time between these seconds at a real table, at the evening's pace, or until the evening ends. */
  pass: (seconds: readonly [number, number]) => Promise<void>;
  /**
   * Makes a call and returns true if it succeeded. The evening continues after failures such as a faster colleague, a sold-out
   * dish or a restarting service.
   */
  attempt: (what: string, call: () => Promise<unknown>) => Promise<boolean>;
  /** Aborts when the evening ends. */
  signal: AbortSignal;
};
