import { useEffect, useState } from 'preact/hooks';

/** How long after a change on the screen a press may still be meant for what was there before, in milliseconds. */
export const settleMs = 500;

/** Returns true once the component has been visible for 0.5 s, so that a press is meant for it. */
export function useSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), settleMs);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}

/** Ignores presses on a page that has just appeared. The second tap of a double tap was meant for the page before. */
export function ignorePresses(): void {
  const { style } = document.body;
  style.pointerEvents = 'none';
  setTimeout(() => (style.pointerEvents = ''), settleMs);
}
