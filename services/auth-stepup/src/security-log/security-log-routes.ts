import { auditTrail, securityEvents } from '@comanda/contracts/audit';
import type { Api } from '@comanda/shared/http/api';
import type { AuditStore, StoredAuditEntry } from './audit-store.ts';
import { listAudit } from './list-audit.ts';
import { listSecurityEvents } from './list-security-events.ts';
import type { LoggedEvent, SecurityLogStore } from './security-log-store.ts';

export type SecurityLogRouteDeps = { securityLog: SecurityLogStore; audit: AuditStore };

export function registerSecurityLogRoutes({ handle }: Api, deps: SecurityLogRouteDeps): void {
  handle(securityEvents, async ({ caller, query }) => {
    const { limit = 50, cursor } = query;
    const page = await listSecurityEvents(deps, { userId: caller.userId, limit, cursor });
    const body = page.events.map(toEventResponse);
    if (page.nextCursor === null) return { status: 200, body };
    const next = `${securityEvents.path}?limit=${limit}&cursor=${page.nextCursor}`;
    return { status: 200, body, headers: { Link: `<${next}>; rel="next"` } };
  });
  handle(auditTrail, async ({ query }) => {
    const { user_id: userId, limit = 50, cursor } = query;
    const { entries, nextCursor } = await listAudit(deps, { userId, limit, cursor });
    const body = entries.map(toAuditResponse);
    if (nextCursor === null) return { status: 200, body };
    const ofUser = userId === undefined ? '' : `user_id=${userId}&`;
    const next = `${auditTrail.path}?${ofUser}limit=${limit}&cursor=${nextCursor}`;
    return { status: 200, body, headers: { Link: `<${next}>; rel="next"` } };
  });
}

const toEventResponse = ({ type, time, address, userAgent, purpose }: LoggedEvent) => ({
  type,
  time: new Date(time).toISOString(),
  address,
  user_agent: userAgent,
  ...(purpose && { endpoint_key: purpose.endpointKey }),
  ...(purpose?.details && { authorization_details: purpose.details }),
  ...(purpose?.jti !== undefined && { jti: purpose.jti }),
});

const toAuditResponse = ({ id, time, type, actor, userId, details, address }: StoredAuditEntry) => ({
  id,
  time: new Date(time).toISOString(),
  type,
  actor,
  user_id: userId,
  details,
  address,
});
