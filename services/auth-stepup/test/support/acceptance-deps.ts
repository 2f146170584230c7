import type { Connection } from 'mongoose';
import type { Transactions } from '@comanda/shared/mongo/transactions';
import { createAuditStore } from '../../src/security-log/audit-store.ts';
import { createAuditedWork } from '../../src/security-log/audited-work.ts';
import { createTabletPinStore } from '../../src/tablets/tablet-pin-store.ts';
import type { AcceptInvitationDeps } from '../../src/users/accept-invitation.ts';
import type { UserStore } from '../../src/users/user-store.ts';

type Options = {
  connection: Connection;
  users: UserStore;
  transactions: Transactions;
  hasher: AcceptInvitationDeps['hasher'];
};

/** Returns the dependencies of `acceptInvitation`, for tests in which something happens while a password is hashed. */
export const acceptanceDeps = ({ connection, users, transactions, hasher }: Options): AcceptInvitationDeps => ({
  users,
  hasher,
  tabletPins: createTabletPinStore(connection),
  pinHasher: { hash: async () => ({ hash: 'h', pepperId: 'p', isBoundToUser: true }) },
  limits: { countInvitation: async () => undefined },
  unitOfWork: createAuditedWork({ transactions, audit: createAuditStore(connection), outboxes: {} }),
  recordSecurityEvent: async () => undefined,
  clock: Date.now,
});
