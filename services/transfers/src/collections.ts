import { instanceSchema } from '@comanda/shared/mongo/instances';
import { preparationSchema } from '@comanda/shared/mongo/prepare-database';
import { accountSchema } from './accounts/account-document.ts';
import { attemptSchema } from './bill-payments/attempt-store.ts';
import { checkpointSchema } from './checkpoints/checkpoint-document.ts';
import { counterSchema } from './ids/id-store.ts';
import { chargeSchema } from './pix/charge-store.ts';
import { markSchema } from './pix/mark-store.ts';
import { pixReceiptSchema } from './pix/receipt-document.ts';
import { signingKeySchema } from './receipts/signing-key-store.ts';
import { journalSchema } from './transfers/journal-document.ts';

/** All of the service's collections. `prepare.ts` creates them. */
export const transfersCollections = [
  accountSchema,
  journalSchema,
  checkpointSchema,
  attemptSchema,
  chargeSchema,
  pixReceiptSchema,
  markSchema,
  signingKeySchema,
  counterSchema,
  instanceSchema,
  preparationSchema,
];
