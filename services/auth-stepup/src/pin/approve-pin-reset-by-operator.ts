import { parseArgs } from 'node:util';
import type { Clock } from '@comanda/shared/runtime/clock';
import { CommandError, type CommandContext } from '../run-command.ts';
import { commandOrigin, operator } from '../security-log/audit-entry.ts';
import { createAuditStore } from '../security-log/audit-store.ts';
import { createAuditedWork } from '../security-log/audited-work.ts';
import { createUserStore } from '../users/user-store.ts';
import { approvalMs } from './approve-pin-reset.ts';
import { createPinResetApprovalStore } from './pin-reset-approval-store.ts';
import { createPinStore } from './pin-store.ts';

/**
 * Runs the command `approve-pin-reset`: approves a PIN reset for the only manager, because there is no other manager who could.
 */
export async function approvePinResetByOperator(
  { connection, transactions }: Pick<CommandContext, 'connection' | 'transactions'>,
  { args, clock }: { args: string[]; clock: Clock },
): Promise<string> {
  const { values } = parseArgs({ args, options: { email: { type: 'string' } } });
  if (!values.email) throw new CommandError('usage: npm run approve-pin-reset -- --email <e-mail>');
  const pins = createPinStore(connection);
  const unitOfWork = createAuditedWork({ transactions, audit: createAuditStore(connection), outboxes: {} });
  const users = createUserStore({ connection, transactions });
  const approvals = createPinResetApprovalStore(connection);

  const user = await users.findByEmail(values.email);
  const holder = user && (await pins.findByUser(user.id));
  if (!user || !holder?.pin) throw new CommandError('No user with this e-mail address has a PIN.');
  const now = clock();
  const expiresAt = now + approvalMs;
  const [type, origin] = ['transaction_password_reset_approved' as const, commandOrigin('approve-pin-reset')];
  const entry = { type, time: now, actor: operator, userId: user.id, details: {}, origin };
  await unitOfWork.run(async (session) => {
    await approvals.insert({ userId: user.id, by: null, expiresAt }, { now, session });
    await pins.allowReset(user.id, expiresAt, session);
    return { value: undefined, records: [entry], events: [] };
  });
  return `Until ${new Date(expiresAt).toISOString()}, ${user.email} can set a new PIN with POST /security/transaction-password/reset.`;
}
