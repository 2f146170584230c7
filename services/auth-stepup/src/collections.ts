import { instanceSchema } from '@comanda/shared/mongo/instances';
import { preparationSchema } from '@comanda/shared/mongo/prepare-database';
import { counterSchema } from './ids/counter-store.ts';
import { consentKeySchema } from './keys/consent-key-store.ts';
import { keySchema, leaseSchema } from './keys/key-store.ts';
import { pinResetApprovalSchema } from './pin/pin-reset-approval-store.ts';
import { auditSchema } from './security-log/audit-store.ts';
import { securityEventSchema } from './security-log/security-log-store.ts';
import { sessionSchema } from './sessions/session-store.ts';
import { setupSchema } from './setup/setup-store.ts';
import { stopsSchema } from './stops/stop-store.ts';
import { guestSchema } from './tables/guest-store.ts';
import { tableSchema } from './tables/table-store.ts';
import { tabletSchema } from './tablets/tablet-store.ts';
import { userSchema } from './users/user-document.ts';

/** All of the service's collections. `prepare.ts` creates them. */
export const authStepupCollections = [
  userSchema,
  setupSchema,
  sessionSchema,
  tableSchema,
  guestSchema,
  tabletSchema,
  pinResetApprovalSchema,
  securityEventSchema,
  auditSchema,
  stopsSchema,
  keySchema,
  consentKeySchema,
  leaseSchema,
  counterSchema,
  instanceSchema,
  preparationSchema,
];
