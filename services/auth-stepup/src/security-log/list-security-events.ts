import type { LoggedEvent, LogPosition, SecurityLogStore } from './security-log-store.ts';

type ListSecurityEventsDeps = { securityLog: Pick<SecurityLogStore, 'list'> };
export type SecurityEventPage = { events: LoggedEvent[]; nextCursor: string | null };

/** Returns one page of the user's own security events, newest first. */
export async function listSecurityEvents(
  { securityLog }: ListSecurityEventsDeps,
  { userId, limit, cursor }: { userId: number; limit: number; cursor: string | undefined },
): Promise<SecurityEventPage> {
  const after = cursor === undefined ? null : readCursor(cursor);
  const found = await securityLog.list(userId, { after, limit: limit + 1 });
  const events = found.slice(0, limit);
  const last = events.at(-1);
  return { events, nextCursor: last && found.length > limit ? writeCursor(last) : null };
}

const writeCursor = ({ time, id }: LogPosition): string => `${time}-${id}`;

function readCursor(cursor: string): LogPosition {
  const [time, id = ''] = cursor.split('-');
  return { time: Number(time), id };
}
