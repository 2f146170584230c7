import type { StopName } from '@comanda/contracts/stops';
import { stopMessages } from '@comanda/ui/stop-messages.ts';
import { useEffect } from 'preact/hooks';
import { useGuest } from './contexts.ts';
import { Notice } from './notice.tsx';

/** Says that the restaurant has stopped something, such as sign-ups, and what to do instead. */
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
