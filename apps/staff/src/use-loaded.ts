import type { ComponentType } from 'preact';
import { loadBuildAgain } from '@comanda/ui/web-app/load-again.ts';
import { useEffect, useState } from 'preact/hooks';

/**
 * Loads a component whose script isn't part of the first load. Loading starts as soon as the calling component is rendered, so
 * that the script is there if the network fails later. A failed load is retried when `need` changes; if the component is needed
 * now, by reloading the page.
 */
export function useLoaded<P>(load: () => Promise<ComponentType<P>>, need?: unknown) {
  const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const isLoaded = Loaded !== null;
  useEffect(() => {
    if (isLoaded) return undefined;
    let isCurrent = true;
    load().then(
      (component) => isCurrent && setLoaded(() => component),
      () => {
        if (!isCurrent) return;
        setHasFailed(true);
        if (need) void loadBuildAgain();
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [load, need, isLoaded]);
  return { Loaded, hasFailed };
}
