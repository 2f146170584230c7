import type { Transactions } from '@comanda/shared/mongo/transactions';
import { createPinCheckStore } from './pin/pin-check-store.ts';
import { createPinResetApprovalStore } from './pin/pin-reset-approval-store.ts';
import { createPinStore } from './pin/pin-store.ts';
import { createAuditStore } from './security-log/audit-store.ts';
import { createSecurityLogStore } from './security-log/security-log-store.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createSetupStore } from './setup/setup-store.ts';
import { createStepUpTokenStore } from './step-up/step-up-token-store.ts';
import { createStopStore } from './stops/stop-store.ts';
import { createGuestStore } from './tables/guest-store.ts';
import { createTableStore } from './tables/table-store.ts';
import { createTabletAttemptStore } from './tablets/tablet-attempt-store.ts';
import { createTabletPinStore } from './tablets/tablet-pin-store.ts';
import { createTabletStore } from './tablets/tablet-store.ts';
import { createUserStore } from './users/user-store.ts';

type Options = {
  connection: Parameters<typeof createSessionStore>[0];
  transactions: Transactions;
  redis: Parameters<typeof createPinCheckStore>[0];
};

/** Creates the service's stores, in MongoDB and Redis. */
export const createStores = ({ connection, transactions, redis }: Options) => ({
  users: createUserStore({ connection, transactions }),
  setup: createSetupStore(connection),
  sessions: createSessionStore(connection),
  guests: createGuestStore(connection),
  tables: createTableStore(connection),
  tablets: createTabletStore(connection),
  tabletPins: createTabletPinStore(connection),
  tabletAttempts: createTabletAttemptStore(redis),
  stops: createStopStore(connection),
  pins: createPinStore(connection),
  pinChecks: createPinCheckStore(redis),
  approvals: createPinResetApprovalStore(connection),
  stepUpTokenStore: createStepUpTokenStore(redis),
  securityLog: createSecurityLogStore(connection),
  audit: createAuditStore(connection),
});
