import { setupCodeHours } from '@comanda/contracts/rules';
import type { Clock } from '@comanda/shared/runtime/clock';
import { CommandError, type CommandContext } from '../run-command.ts';
import { createUserStore } from '../users/user-store.ts';
import { hashOfSetupCode, newSetupCode } from './setup-code.ts';
import { createSetupStore } from './setup-store.ts';

/** `staffUrl`: the public URL where staff reach the system. */
type CreateSetupCodeInput = { staffUrl: string; clock: Clock };

/** Runs the command `create-setup-code`. The new code replaces an earlier one. */
export async function createSetupCode(
  { connection, transactions }: Pick<CommandContext, 'connection' | 'transactions'>,
  { staffUrl, clock }: CreateSetupCodeInput,
): Promise<string> {
  const users = createUserStore({ connection, transactions });
  try {
    if (await users.hasManager())
      throw new CommandError('There is already a manager. Sign in, or run create-manager to add another one.');
    const code = newSetupCode();
    const expiresAt = clock() + setupCodeHours * 3600_000;
    await createSetupStore(connection).replaceCode({ hash: hashOfSetupCode(code), expiresAt });
    const url = `${staffUrl.replace(/\/+$/, '')}/kitchen`;
    return `Open ${url} and enter the setup code ${code} within ${setupCodeHours} hours.`;
  } finally {
    await users.close();
  }
}
