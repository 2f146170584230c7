import { auditTrail, securityEvents } from '@comanda/contracts/audit';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import type { AuditStore, StoredAuditEntry } from './audit-store.ts';
import { listAudit } from './list-audit.ts';
import { listSecurityEvents } from './list-security-events.ts';
import type { LoggedEvent, SecurityLogStore } from './security-log-store.ts';

export type SecurityLogRouteDeps = { securityLog: SecurityLogStore; audit: AuditStore };

export function registerSecurityLogRoutes({ handle }: Api, deps: SecurityLogRouteDeps): void {
  handle(securityEvents, async ({ caller, query }) => {
    const { limit = 50, cursor } = query;
    const { events, nextCursor } = await listSecurityEvents(deps, { userId: caller.userId, limit, cursor });
    const headers = nextLink(securityEvents.path, { limit }, nextCursor);
    return { status: 200, body: events.map(toEventResponse), headers };
  });
  handle(auditTrail, async ({ query }) => {
    const { user_id: userId, limit = 50, cursor } = query;
    const { entries, nextCursor } = await listAudit(deps, { userId, limit, cursor });
    const headers = nextLink(auditTrail.path, { user_id: userId, limit }, nextCursor);
    return { status: 200, body: entries.map(toAuditResponse), headers };
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
