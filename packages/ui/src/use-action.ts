import { CallFailure } from '@comanda/client';
import { useState } from 'preact/hooks';

/** Runs one request for the user at a time, and returns why the last one failed. */
export function useAction() {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  /**
   * Runs the action and returns true if it succeeded. A second press while it runs does nothing; a cancelled action is not a
   * failure.
   */
  async function run(action: () => Promise<unknown>): Promise<boolean> {
    if (isBusy) return false;
    setIsBusy(true);
    setFailure(null);
    try {
      await action();
      return true;
    } catch (error) {
      if (!isCancelled(error)) setFailure(error);
      return false;
    } finally {
      setIsBusy(false);
    }
  }
  return { isBusy, failure, run, forgetFailure: () => setFailure(null) };
}

/** Returns true if the user did not enter the PIN that the server required. */
const isCancelled = (error: unknown): boolean => error instanceof CallFailure && error.code === 'step_up_required';
