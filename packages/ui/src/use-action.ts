import { CallFailure } from '@comanda/client';
import { useState } from 'preact/hooks';

/** Runs one request of the user at a time, and has the reason if it failed. */
export function useAction() {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  /**
   * Returns whether it was done. A second press during the first one does nothing; a cancelled one is not a failure.
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

/** Whether the user did not enter the PIN that the server asked for. */
const isCancelled = (error: unknown): boolean => error instanceof CallFailure && error.code === 'step_up_required';
