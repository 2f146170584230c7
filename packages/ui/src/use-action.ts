import { CallFailure } from '@comanda/client';
import { useState } from 'preact/hooks';

/** Runs the user's requests one at a time, and returns the error of the last failed one. */
export function useAction() {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  /**
   * Runs the action and returns true if it succeeded. A second press during the action does nothing. A cancelled action does not
   * count as a failure.
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

/** Returns true if the user did not enter the required PIN. */
const isCancelled = (error: unknown): boolean => error instanceof CallFailure && error.code === 'step_up_required';
