import { useEffect, useState } from 'preact/hooks';

/**
 * How long, in milliseconds, a press on something that has just appeared or moved may have been meant for what was there before.
 */
export const settleMs = 500;

/** Returns true once the component has been in place long enough that a press is meant for it. */
export function useSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), settleMs);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}
