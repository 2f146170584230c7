import { securityEvents } from '@comanda/contracts/security';
import type { Api } from '@comanda/shared/http/api';
import { listSecurityEvents } from './list-security-events.ts';
import type { LoggedEvent, SecurityLogStore } from './security-log-store.ts';

export type SecurityLogRouteDeps = { securityLog: SecurityLogStore };

export function registerSecurityLogRoutes({ handle }: Api, deps: SecurityLogRouteDeps): void {
  handle(securityEvents, async ({ caller, query }) => {
    const { limit = 50, cursor } = query;
    const page = await listSecurityEvents(deps, { userId: caller.userId, limit, cursor });
    const body = page.events.map(toEventResponse);
    if (page.nextCursor === null) return { status: 200, body };
    const next = `${securityEvents.path}?limit=${limit}&cursor=${page.nextCursor}`;
    return { status: 200, body, headers: { Link: `<${next}>; rel="next"` } };
  });
}

const toEventResponse = ({ type, time, address, userAgent }: LoggedEvent) => ({
  type,
  time: new Date(time).toISOString(),
  address,
  user_agent: userAgent,
});
