import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Action, Keys } from '../device/keys.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

/** Calls `act` for each key of the bump bar. Enter and Space on a focused button press that button. */
export function useBoardKeys({ actionOf }: Keys, act: (action: Action) => void): void {
  // A bump bar sends the next key before the next frame: it must find what the key before it has chosen.
  const actRef = useRef(act);
  useLayoutEffect(() => {
    actRef.current = act;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return;
      const action = actionOf(event.key);
      if (action === undefined) return;
      const isOnButton = target instanceof HTMLElement && target.closest('button, a') !== null;
      if (isOnButton && (event.key === 'Enter' || event.key === ' ')) return;
      event.preventDefault();
      actRef.current(action);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [actionOf]);
}
