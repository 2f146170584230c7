import type { Outbox } from '@comanda/shared/messaging/outbox';
import { isTransient, type Transactions } from '@comanda/shared/mongo/transactions';
import { createUnitOfWork, type UnitOfWork } from '@comanda/shared/service/unit-of-work';
import type { AuditEntry } from './audit-entry.ts';
import type { AuditStore } from './audit-store.ts';

/** A unit of work whose transaction also inserts audit entries. `Name`: the names of the outboxes for its events. */
export type AuditedWork<Name extends string = never> = UnitOfWork<AuditEntry, Name>;

type Options<Name extends string> = {
  transactions: Pick<Transactions, 'run'>;
  audit: Pick<AuditStore, 'insert'>;
  outboxes: Record<Name, Pick<Outbox, 'publishNow'>>;
};

/** How long a write is retried while it conflicts with other writes, in milliseconds. */
const timeLimitMs = 1500;

export const createAuditedWork = <Name extends string = never>({
  transactions,
  audit,
  outboxes,
}: Options<Name>): AuditedWork<Name> =>
  createUnitOfWork({ transactions, timeLimitMs, records: audit, outboxes, isRetryable: isTransient });
