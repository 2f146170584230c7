import { CallFailure, type Answer, type Client } from '@comanda/client/core';
import { useEffect, useState } from 'preact/hooks';

/** Returns true if the restaurant takes Pix; false until that is known, and without a network, which Pix needs. */
export function useTakesPix({ calls }: Pick<Client, 'calls'>): boolean {
  const [mode, setMode] = useState<Answer<'getPix'>['mode']>('off');
  useEffect(() => {
    const leaving = new AbortController();
    async function load(): Promise<void> {
      try {
        setMode((await calls.getPix({}, { signal: leaving.signal })).mode);
      } catch (error) {
        if (!leaving.signal.aborted && !(error instanceof CallFailure)) throw error;
      }
    }
    void load();
    return () => leaving.abort();
  }, [calls]);
  return mode !== 'off';
}
