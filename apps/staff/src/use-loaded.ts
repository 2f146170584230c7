import type { ComponentType } from 'preact';
import { loadBuildAgain } from '@comanda/ui/web-app/load-again.ts';
import { useEffect, useState } from 'preact/hooks';

/**
 * A component whose script is not part of the first load. It is loaded as soon as what uses it stands, so that it is there
 * when the network is not. A load that failed is tried again when `need` changes; if somebody needs it now, with a new page.
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
