import { formatAge } from '../../bumps/ticket.ts';
import type { FollowedCalls } from '../../calls/follow-calls.ts';
import { callMessages, wishOf } from '../../calls/messages.ts';
import { managerMessages } from '../messages.ts';

const lateAfterMs = 180_000;

/** Lists calls that have waited 3 minutes without a waiter accepting them, oldest first. */
export function LateCalls({ calls, nowMs }: { calls: FollowedCalls; nowMs: number }) {
  const words = managerMessages().evening;
  const late = calls.waiting.value.filter(
    ({ status, created_at: at }) => status === 'open' && nowMs - Date.parse(at) >= lateAfterMs,
  );
  if (late.length === 0) return null;
  return (
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
  );
}
