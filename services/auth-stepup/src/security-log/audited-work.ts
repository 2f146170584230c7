import type { Outbox } from '@comanda/shared/messaging/outbox';
import { isTransient, type Transactions } from '@comanda/shared/mongo/transactions';
import { createUnitOfWork, type UnitOfWork } from '@comanda/shared/service/unit-of-work';
import type { AuditEntry } from './audit-entry.ts';
import type { AuditStore } from './audit-store.ts';

/** The service's unit of work: its records are audit entries. `Name`: the outboxes of its events. */
export type AuditedWork<Name extends string = never> = UnitOfWork<AuditEntry, Name>;

type Options<Name extends string> = {
  transactions: Pick<Transactions, 'run'>;
  audit: Pick<AuditStore, 'insert'>;
  outboxes: Record<Name, Pick<Outbox, 'publishNow'>>;
};

/** How long a write is retried while other writes come first, in milliseconds. */
const timeLimitMs = 1500;

export const createAuditedWork = <Name extends string = never>({
  transactions,
  audit,
  outboxes,
}: Options<Name>): AuditedWork<Name> =>
  createUnitOfWork({ transactions, timeLimitMs, records: audit, outboxes, isRetryable: isTransient });
