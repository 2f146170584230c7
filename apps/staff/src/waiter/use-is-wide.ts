import { useEffect, useState } from 'preact/hooks';

const wide = matchMedia('(width >= 900px)');

/** Returns true on a screen with room for two panes, such as a tablet. */
export function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(wide.matches);
  useEffect(() => {
    const follow = (): void => setIsWide(wide.matches);
    follow();
    wide.addEventListener('change', follow);
    return () => wide.removeEventListener('change', follow);
  }, []);
  return isWide;
}
