import { refusal } from '@comanda/local-stack/servers/refusal';

export type Step = <T>(what: string, check: () => Promise<T>) => Promise<T>;

/** Logs each check and how long it took. An error in a check ends the run. */
export function createStep(log: (line: string) => void): Step {
  return async (what, check) => {
    log(`      … ${what}`);
    const started = performance.now();
    const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(7);
    try {
      const result = await check();
      log(`${seconds()} ✓ ${what}`);
      return result;
    } catch (error) {
      log(`${seconds()} ✗ ${what}`);
      throw error;
    }
  };
}

/**
 * Checks that `actual` contains all `expected` texts.
 * @throws Refusal with `what` and the missing texts otherwise
 */
export function expectIn(actual: string, expected: readonly string[], what: string): void {
  const missing = expected.filter((text) => !actual.includes(text));
  if (missing.length > 0) throw refusal(`${what} does not say ${missing.join(', ')}. It says:\n${actual.slice(-4000)}`);
}
