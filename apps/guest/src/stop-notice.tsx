import type { StopName } from '@comanda/contracts/stops';
import { stopMessages } from '@comanda/ui/stop-messages.ts';
import { useEffect } from 'preact/hooks';
import { useGuest } from './contexts.ts';
import { Notice } from './notice.tsx';

/** What the restaurant has stopped, and what to do instead. It is loaded when a page that is concerned is opened. */
export function StopNotice({ of }: { of: StopName }) {
  const { stops } = useGuest();
  const stop = stops.state.value[of];
  useEffect(() => stops.load(), [stops]);
  if (stop === null) return null;
  const { stopped, instead } = stopMessages()[of];
  return (
    <Notice kind="warning" icon="pause" title={stopped}>
      {stop.reason !== null && <p>{stop.reason}</p>}
      <p>{instead}</p>
    </Notice>
  );
}
