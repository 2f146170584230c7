import { useEffect, useState } from 'preact/hooks';
import { takeLatest } from './take-latest.ts';

const usualMs = 30_000;

export type Fresh<T> = {
  /** Null until it is loaded. After a failure, the last value stays. */
  value: T | null;
  /** Why the last load failed; null if it succeeded. */
  failure: unknown;
  reload: () => Promise<void>;
};

/**
 * Loads data, and loads it again every 30 seconds while the page is visible. Pass null as `everyMs` for data that never changes.
 * A later `load` is ignored.
 */
export function useFresh<T>(load: () => Promise<T>, everyMs: number | null = usualMs): Fresh<T> {
  const [value, setValue] = useState<T | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [reload] = useState(() => {
    const next = takeLatest<() => void>((apply) => apply());
    return async (): Promise<void> => {
      const take = next();
      try {
        const found = await load();
        take(() => {
          setValue(() => found);
          setFailure(null);
        });
      } catch (error) {
        take(() => setFailure(error));
      }
    };
  });
  useEffect(() => {
    const refresh = (): void => {
      if (!document.hidden) void reload();
    };
    void reload();
    if (everyMs === null) return undefined;
    const timer = setInterval(refresh, everyMs);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [reload, everyMs]);
  return { value, failure, reload };
}
