import { useState } from 'preact/hooks';

/** Thrown by an action that the user has cancelled. It does not count as a failure. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Runs the user's requests one at a time, and returns the error of the last failed one. */
export function useAction() {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  /** Runs the action and returns true if it succeeded. A second press during the action does nothing. */
  async function run(action: () => Promise<unknown>): Promise<boolean> {
    if (isBusy) return false;
    setIsBusy(true);
    setFailure(null);
    try {
      await action();
      return true;
    } catch (error) {
      if (!(error instanceof Cancelled)) setFailure(error);
      return false;
    } finally {
      setIsBusy(false);
    }
  }
  return { isBusy, failure, run, forgetFailure: () => setFailure(null) };
}
