import { securityEvents } from '@comanda/contracts/security';
import type { Api } from '@comanda/shared/http/api';
import type { LoggedEvent, SecurityLogStore } from './security-log-store.ts';

export function securityLogRoutes({ handle }: Api, log: SecurityLogStore): void {
  handle(securityEvents, async ({ caller, query }) => {
    const { limit = 50, cursor } = query;
    const after = cursor === undefined ? null : readCursor(cursor);
    const found = await log.page(caller.userId, { after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const body = page.map(({ type, time, address, userAgent }) => ({
      type,
      time: new Date(time).toISOString(),
      address,
      user_agent: userAgent,
    }));
    const last = page.at(-1);
    if (!last || found.length <= limit) return { status: 200, body };
    const next = `${securityEvents.path}?limit=${limit}&cursor=${writeCursor(last)}`;
    return { status: 200, body, headers: { Link: `<${next}>; rel="next"` } };
  });
}

const writeCursor = ({ time, id }: LoggedEvent): string => `${time}-${id}`;

function readCursor(cursor: string): { time: number; id: string } {
  const [time, id = ''] = cursor.split('-');
  return { time: Number(time), id };
}
