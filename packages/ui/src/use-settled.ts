import { useEffect, useState } from 'preact/hooks';

/** So long after something has appeared or moved, a press on it may have been meant for what stood there before. */
export const settleMs = 500;

/** Whether what uses it has stood for long enough that a press is meant for it. */
export function useSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), settleMs);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}
