import type { Client } from '@comanda/client';
import type { Chance } from './chance.ts';

/** What all participants in a simulated evening share. */
export type Evening = {
  /** The client for a waiter, whose phone the cooks use too. */
  staff: Client;
  manager: Client;
  chance: Chance;
  /**
   * Resolves after a time between these seconds at a real table, at the evening's pace. Resolves immediately when the evening
   * ends.
   */
  pass: (seconds: readonly [number, number]) => Promise<void>;
  /**
   * Makes a call and returns true if it succeeded. The evening continues if another person was faster, something is sold out, or
   * a service restarts.
   */
  attempt: (what: string, call: () => Promise<unknown>) => Promise<boolean>;
  /** Aborted when the evening ends. */
  signal: AbortSignal;
};
