import { useEffect, useState } from 'preact/hooks';

/**
 * The time after something has appeared or moved in which a press on it may have been meant for what was there before,
 * in milliseconds.
 */
export const settleMs = 500;

/** Whether the component has been in place long enough that a press is meant for it. */
export function useSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), settleMs);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}
