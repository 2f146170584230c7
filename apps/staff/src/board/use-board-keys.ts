import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Action, Keys } from '../device/keys.ts';
import { isArrow } from './neighbour.ts';

/**
 * Calls `act` for each key on the bump bar, and repeatedly while an arrow key is held. Enter and Space on a focused button press
 * that button instead.
 */
export function useBoardKeys({ actionOf }: Keys, act: (action: Action) => void): void {
  // A bump bar may send a key before the next frame is painted. A ref makes each key see what the previous one has selected.
  const actRef = useRef(act);
  useLayoutEffect(() => {
    actRef.current = act;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target, key } = event;
      const action = actionOf(key);
      if (event.ctrlKey || event.metaKey || event.altKey || action === undefined) return;
      const isIn = (selector: string): boolean => target instanceof HTMLElement && target.closest(selector) !== null;
      // A bump bar has no Tab key, so its arrow and close keys also leave a field in a drawer.
      const isLeaving = isIn('.drawer') && key.length > 1 && /^(up|down|close)$/.test(action);
      if (isIn('input, textarea, select') && !isLeaving) return;
      const isHeld = event.repeat && !isArrow(action);
      if (!isHeld && isIn('button, a') && (key === 'Enter' || key === ' ')) return;
      event.preventDefault();
      if (!isHeld) actRef.current(action);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [actionOf]);
}
