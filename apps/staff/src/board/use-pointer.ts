import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { holdMs } from './layout.ts';

/** Tracks whether a finger or a mouse button is down, and when it was last released, in milliseconds. */
export function usePointer(): RefObject<{ isDown: boolean; upAt: number }> {
  const pointer = useRef({ isDown: false, upAt: -holdMs });
  useEffect(() => {
    const onDown = (): void => {
      pointer.current = { isDown: true, upAt: -holdMs };
    };
    const onUp = (): void => {
      pointer.current = { isDown: false, upAt: performance.now() };
    };
    const listeners = [
      ['pointerdown', onDown],
      ['pointerup', onUp],
      ['pointercancel', onUp],
    ] as const;
    for (const [type, listener] of listeners) addEventListener(type, listener, { capture: true });
    return () => {
      for (const [type, listener] of listeners) removeEventListener(type, listener, { capture: true });
    };
  }, []);
  return pointer;
}
