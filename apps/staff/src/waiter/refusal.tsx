import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { useEffect, useRef } from 'preact/hooks';

/** Shows why the server rejected a change, scrolled into view, because a list may be higher than a phone's screen. */
export function Refusal({ failure }: { failure: unknown }) {
  const placeRef = useRef<HTMLDivElement>(null);
  useEffect(() => placeRef.current?.scrollIntoView({ block: 'nearest' }), [failure]);
  return (
    <div ref={placeRef}>
      <ErrorPanel words={billFailureWords(failure)} />
    </div>
  );
}
