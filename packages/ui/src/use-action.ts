import { useState } from 'preact/hooks';

/** Throw this in an action that the user has cancelled. It is not reported as a failure. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Runs one action at a time. `failure` is the error of the last action, or null if it succeeded or was cancelled. */
export function useAction() {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  /** Runs the action and returns true if it succeeded. Returns false without running it if another action is running. */
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
