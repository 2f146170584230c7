import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';

/** Submits a form, once at a time. `failure` is that of the last time. */
export function useSubmit(submit: () => Promise<void>) {
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  async function run(): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await submit();
    } catch (error) {
      setFailure(error);
    }
    setIsBusy(false);
  }
  const onSubmit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isBusy) void run();
  };
  return { failure, isBusy, onSubmit, clearFailure: () => setFailure(null) };
}
