import { CallFailure } from '@comanda/client';
import { useState } from 'preact/hooks';

/** One thing at a time that a person asks the server for, and why it failed. */
export function useAction() {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  /** Returns whether it was done. A second press while the first runs does nothing; one that the person cancels is no failure. */
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

/** Nobody entered the PIN that the server has asked for. */
const isCancelled = (error: unknown): boolean => error instanceof CallFailure && error.code === 'step_up_required';
