import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * When a page shows something else at the same address, scrolls to its top and moves the focus to its heading for screen readers.
 */
export function useHeadingFocus(view: string): void {
  const isFirstRef = useRef(true);
  useLayoutEffect(() => {
    if (!isFirstRef.current) {
      scrollTo(0, 0);
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    }
    isFirstRef.current = false;
  }, [view]);
}
