import { parseArgs } from 'node:util';
import type { Clock } from '@comanda/shared/runtime/clock';
import { CommandError, type CommandContext } from '../run-command.ts';
import { commandOrigin, operator } from '../security-log/audit-entry.ts';
import { createAuditStore } from '../security-log/audit-store.ts';
import { createAuditedWriter } from '../security-log/write-audited.ts';
import { createUserStore } from '../users/user-store.ts';
import { approvalMs } from './approve-pin-reset.ts';
import { createPinResetApprovalStore } from './pin-reset-approval-store.ts';
import { createPinStore } from './pin-store.ts';

/** Runs the command `approve-pin-reset`: approves a PIN reset for a sole manager, whom no other manager can approve. */
export async function approvePinResetByOperator(
  { connection, transactions }: Pick<CommandContext, 'connection' | 'transactions'>,
  { args, clock }: { args: string[]; clock: Clock },
): Promise<string> {
  const { values } = parseArgs({ args, options: { email: { type: 'string' } } });
  if (!values.email) throw new CommandError('usage: npm run approve-pin-reset -- --email <e-mail>');
  const pins = createPinStore(connection);
  const writeAudited = createAuditedWriter({ transactions, audit: createAuditStore(connection) });
  const users = createUserStore({ connection, transactions });
  const approvals = createPinResetApprovalStore({ connection, writeAudited, pins, users });

  const user = await users.findByEmail(values.email);
  const holder = user && (await pins.findByUser(user.id));
  if (!user || !holder?.pin) throw new CommandError('No user with this e-mail address has a PIN.');
  const now = clock();
  const expiresAt = now + approvalMs;
  await approvals.insert(
    { userId: user.id, by: null, expiresAt },
    {
      type: 'transaction_password_reset_approved',
      time: now,
      actor: operator,
      userId: user.id,
      details: {},
      origin: commandOrigin('approve-pin-reset'),
    },
  );
  return `Until ${new Date(expiresAt).toISOString()}, ${user.email} can set a new PIN with POST /security/transaction-password/reset.`;
}
