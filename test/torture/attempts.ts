import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, type Called } from '@comanda/testing/call';
import { isServiceFrozen } from './faults.ts';
import type { Observed } from './observed.ts';

const promisedRefusalMs = 2_000;
/** How long our own client (packages/client) waits for a response, in milliseconds. */
const clientGivesUpMs = 15_000;

export type ClientOptions = {
  /** How long each client pauses between two orders or transfers, in milliseconds. */
  restMs: number;
  /** The record of everything that clients observe. */
  observed: Observed;
  /** Returns the name of the fault that started last. */
  lastFault: () => string;
  /** Returns the sum of all delays of this process's own timers so far, in milliseconds. */
  lateMs: () => number;
};
export type Attempts = ReturnType<typeof createAttempts>;

/**
 * Creates the functions with which all clients make their calls. They record every response. A response that must never occur is
 * recorded as a broken promise.
 */
export function createAttempts({ observed, lastFault, lateMs }: ClientOptions) {
  let giveUpAt = Infinity;
  const now = (): number => performance.now() - lateMs();

  /** Makes one attempt at a call. Returns null if there was no response. */
  async function attempt(what: string, send: () => Promise<Called>): Promise<Called | null> {
    const started = now();
    let why = '';
    const response = await send().catch((error: unknown) => {
      why = String((error as Error).cause ?? error);
      if (error instanceof TypeError) return null; // The instance died, which broke the connection.
      observed.broken.push(String(error));
      return null;
    });
    const code = response ? codeOf(response) : 'no answer';
    observed.responses.set(code, (observed.responses.get(code) ?? 0) + 1);
    const tookMs = Math.round(now() - started);
    if (!isServiceFrozen(lastFault())) noteTime(response, { what: `${what}, ${lastFault()}`, tookMs });
    if (!response || response.status >= 500) {
      const failure = `${what}: ${code} ${response?.body?.detail ?? why}`.trim();
      observed.failures.set(failure, (observed.failures.get(failure) ?? 0) + 1);
    }
    if (response?.status === 500) observed.broken.push(`500: ${response.text}`);
    return response;
  }
  function noteTime(response: Called | null, { what, tookMs }: { what: string; tookMs: number }): void {
    if (response?.status === 503) observed.longestRefusalMs = Math.max(observed.longestRefusalMs, tookMs);
    if (response?.status === 503 && tookMs > promisedRefusalMs) note(observed.lateRefusals, what, tookMs);
    if (tookMs > clientGivesUpMs) note(observed.lateResponses, what, tookMs);
  }
  /**
   * Repeats a call that has an idempotency key until the response is final. Returns null if there is still no final response when
   * the time from `giveUpAfter` is over.
   */
  async function repeat(what: string, send: () => Promise<Called>): Promise<Called | null> {
    for (;;) {
      const response = await attempt(what, send);
      if (isFinal(response)) return response;
      if (performance.now() > giveUpAt) return null;
      await pause(100);
    }
  }
  return {
    now,
    attempt,
    repeat,
    /** Stops all retries this many milliseconds from now. */
    giveUpAfter: (ms: number): void => void (giveUpAt = performance.now() + ms),
  };
}

/** Returns true if a response says how the call ended, so that no retry is needed. */
export const isFinal = (response: Called | null): response is Called =>
  response !== null &&
  response.status < 500 &&
  response.status !== 429 &&
  codeOf(response) !== '409 request_in_progress';

const note = (longest: Map<string, number>, what: string, tookMs: number): void =>
  void longest.set(what, Math.max(longest.get(what) ?? 0, tookMs));
