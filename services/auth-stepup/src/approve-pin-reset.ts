// For a sole manager, whom no other can approve: npm run approve-pin-reset -- --email marta@house.example
import { parseArgs } from 'node:util';
import { approvalMs } from './consent/approve-reset.ts';
import { createApprovalStore } from './consent/approval-store.ts';
import { createPinStore } from './consent/pin-store.ts';
import { createUserStore } from './people/user-store.ts';
import { normalEmail } from './people/user.ts';
import { CommandError, runCommand } from './run-command.ts';
import { createNote } from './security-log/note.ts';
import { createSecurityLogStore } from './security-log/security-log-store.ts';

await runCommand({
  env: process.env,
  settings: {},
  run: async ({ connection, transactions, logger }) => {
    const { values } = parseArgs({ options: { email: { type: 'string' } } });
    if (!values.email) throw new CommandError('usage: npm run approve-pin-reset -- --email <e-mail>');
    const users = createUserStore({ connection, transactions });
    const user = await users.byEmail(normalEmail(values.email));
    const holder = user && (await createPinStore({ connection, onWritten: () => {} }).byUser(user.id));
    if (!user || !holder?.pin) throw new CommandError('There is no user with this e-mail and a PIN.');
    const now = Date.now();
    const expiresAt = now + approvalMs;
    const approvals = createApprovalStore({ connection, transactions });
    await approvals.prepare();
    await approvals.add({ userId: user.id, by: null, expiresAt }, now);
    const note = createNote({ log: createSecurityLogStore(connection), logger, clock: () => now });
    await note(user.id, 'transaction_password_reset_approved', { address: 'console', userAgent: 'approve-pin-reset' });
    return `Until ${new Date(expiresAt).toISOString()} ${user.email} can set a new PIN with POST /security/transaction-password/reset.`;
  },
});
