import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { isTransient, type Session, type Transactions } from '@comanda/shared/mongo/transactions';
import type { AuditEntry } from './audit-entry.ts';
import type { AuditStore } from './audit-store.ts';

type Written<T> = { value: T; entries: readonly AuditEntry[] };
/**
 * Runs `write` and stores the audit entries that `write` returns, in one transaction. While other transactions come first,
 * `write` may run several times.
 * @throws 503 `service_unavailable` if that takes too long; any error from `write`
 */
export type WriteAudited = <T>(write: (session: Session) => Promise<Written<T>>) => Promise<T>;

const timeoutMs = 1500;

export const createAuditedWriter =
  ({
    transactions,
    audit,
  }: {
    transactions: Pick<Transactions, 'run'>;
    audit: Pick<AuditStore, 'insert'>;
  }): WriteAudited =>
  (write) => {
    const deadline = performance.now() + timeoutMs;
    return retryOnConflict({ deadline, isRetryable: isTransient }, () =>
      transactions.run({ deadline }, async (session) => {
        const { value, entries } = await write(session);
        await audit.insert(entries, session);
        return value;
      }),
    );
  };
