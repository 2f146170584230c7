import type { AuditStore, StoredAuditEntry } from './audit-store.ts';

type ListAuditDeps = { audit: Pick<AuditStore, 'list'> };
type ListAuditInput = { userId: number | undefined; limit: number; cursor: string | undefined };
type AuditPage = { entries: StoredAuditEntry[]; nextCursor: number | null };

/** Returns one page of the audit trail, newest first. */
export async function listAudit({ audit }: ListAuditDeps, input: ListAuditInput): Promise<AuditPage> {
  const { userId, limit, cursor } = input;
  const found = await audit.list({ userId, before: cursor === undefined ? null : Number(cursor), limit: limit + 1 });
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextCursor: last && found.length > limit ? last.id : null };
}
