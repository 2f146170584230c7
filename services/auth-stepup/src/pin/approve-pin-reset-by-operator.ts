import { parseArgs } from 'node:util';
import type { Clock } from '@comanda/shared/runtime/clock';
import { CommandError } from '../run-command.ts';
import type { CommandContext } from '../run-command.ts';
import { createSecurityEventRecorder } from '../security-log/record-security-event.ts';
import { createSecurityLogStore } from '../security-log/security-log-store.ts';
import { createUserStore } from '../users/user-store.ts';
import { normalizeEmail } from '../users/user.ts';
import { approvalMs } from './approve-pin-reset.ts';
import { createPinResetApprovalStore, preparePinResetApprovals } from './pin-reset-approval-store.ts';
import { createPinStore } from './pin-store.ts';

/** The command `approve-pin-reset`: for a sole manager, whom no other manager can approve. */
export async function approvePinResetByOperator(
  { connection, transactions, logger }: Omit<CommandContext, 'config'>,
  { args, clock }: { args: string[]; clock: Clock },
): Promise<string> {
  const { values } = parseArgs({ args, options: { email: { type: 'string' } } });
  if (!values.email) throw new CommandError('usage: npm run approve-pin-reset -- --email <e-mail>');
  const pins = createPinStore({ connection, onWritten: () => {} });
  const approvals = createPinResetApprovalStore({ connection, transactions, pins });
  const users = createUserStore({ connection, transactions });
  const log = { store: createSecurityLogStore(connection), logger, clock };

  const user = await users.findByEmail(normalizeEmail(values.email));
  const holder = user && (await pins.findByUser(user.id));
  if (!user || !holder?.pin) throw new CommandError('No user with this e-mail address has a PIN.');
  const now = clock();
  const expiresAt = now + approvalMs;
  await preparePinResetApprovals(connection);
  await approvals.insert({ userId: user.id, by: null, expiresAt }, now);
  await createSecurityEventRecorder(log)({
    userId: user.id,
    type: 'transaction_password_reset_approved',
    origin: { address: 'console', userAgent: 'approve-pin-reset' },
  });
  return `Until ${new Date(expiresAt).toISOString()}, ${user.email} can set a new PIN with POST /security/transaction-password/reset.`;
}
