import { useEffect } from 'preact/hooks';

/** Keeps the keys that are pressed before the script that acts on them is loaded, and presses them again afterwards. */
export function useEarlyKeys(isLoaded: boolean): void {
  useEffect(() => {
    if (isLoaded) return undefined;
    const early: KeyboardEvent[] = [];
    const keep = (event: KeyboardEvent): void => void early.push(event);
    document.addEventListener('keydown', keep);
    return () => {
      document.removeEventListener('keydown', keep);
      // One after the other, because a key acts on what the previous one has selected.
      for (const [at, event] of early.entries())
        setTimeout(() => document.dispatchEvent(new KeyboardEvent('keydown', event)), at);
    };
  }, [isLoaded]);
}
