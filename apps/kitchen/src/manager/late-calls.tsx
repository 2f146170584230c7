import type { Client } from '@comanda/client';
import { useEffect, useState } from 'preact/hooks';
import { formatAge } from '../bumps/ticket.ts';
import { followCalls } from '../calls/follow-calls.ts';
import { callMessages, wishOf } from '../calls/messages.ts';
import { Failure } from './failure.tsx';
import { managerMessages } from './messages.ts';

const lateAfterMs = 180_000;

/** The calls that nobody has taken for 3 minutes, the oldest first. */
export function LateCalls({ client, nowMs }: { client: Client; nowMs: number }) {
  const words = managerMessages().evening;
  const [calls, setCalls] = useState<ReturnType<typeof followCalls> | null>(null);
  useEffect(() => {
    const opened = followCalls(client);
    setCalls(opened);
    return opened.close;
  }, [client]);
  if (!calls) return null;
  const late = calls.waiting.value.filter(
    ({ status, created_at: at }) => status === 'open' && nowMs - Date.parse(at) >= lateAfterMs,
  );
  return (
    <>
      <Failure of={calls.failure.value} />
      {late.length > 0 && (
        <section class="evening-calls" aria-label={callMessages().title}>
          <h2 class="manager-subtitle">{words.lateCalls(late.length)}</h2>
          <ul>
            {late.map((call) => (
              <li key={call.id}>
                <strong>{call.table === null ? callMessages().noTable : words.table(call.table)}</strong> {wishOf(call)}
                <b>{formatAge(nowMs - Date.parse(call.created_at))}</b>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
