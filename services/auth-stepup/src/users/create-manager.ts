import { normalEmail } from '@comanda/contracts/email-address';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { minPasswordCharacters } from '@comanda/contracts/rules';
import { registerUser as contract } from '@comanda/contracts/sessions';
import type { Clock } from '@comanda/shared/runtime/clock';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createHasherMetrics } from '../passwords/hasher-metrics.ts';
import { productionHashCost } from '../passwords/hasher.ts';
import { createPasswordHasher, passwordTurnOf } from '../passwords/password-hasher.ts';
import { hashNewPassword } from '../passwords/password.ts';
import { CommandError, type CommandContext } from '../run-command.ts';
import { commandOrigin, operator } from '../security-log/audit-entry.ts';
import { createAuditStore } from '../security-log/audit-store.ts';
import { createAuditedWork } from '../security-log/audited-work.ts';
import { createSetupStore } from '../setup/setup-store.ts';
import { createUserStore } from './user-store.ts';

type CreateManagerInput = { args: string[]; password: string | undefined; clock: Clock; hashCost?: number };

/** Runs the command `create-manager`. Without `password`, prompts for a password. */
export async function createManager(
  { connection, transactions }: Pick<CommandContext, 'connection' | 'transactions'>,
  { args, password: givenPassword, clock, hashCost: cost = productionHashCost }: CreateManagerInput,
): Promise<string> {
  const { email: givenEmail, name } = readArguments(args);
  const password = givenPassword || (await askPassword());
  const { error } = contract.body?.validate({ name, email: givenEmail, password }, { convert: false }) ?? {};
  if (error) throw new CommandError(error.message);

  const users = createUserStore({ connection, transactions });
  const setup = createSetupStore(connection);
  const metrics = createHasherMetrics(createMetrics('auth-stepup'));
  const hasher = createPasswordHasher({ cost, maxThreads: 1, maxWaiting: 1, maxWaitMs: 1000, metrics });
  try {
    const unitOfWork = createAuditedWork({ transactions, audit: createAuditStore(connection), outboxes: {} });
    const email = normalEmail(givenEmail);
    const passwordHash = await hashNewPassword(hasher, { password, name, email, owner: passwordTurnOf('') });
    const user = await unitOfWork.run(async (session) => {
      const time = clock();
      const manager = { name, email, passwordHash, role: 'manager', addedBy: null, createdAt: time } as const;
      const added = await users.insertInTransaction(manager, session);
      await setup.removeCode(session);
      const details = { role: added.role };
      const origin = commandOrigin('create-manager');
      return {
        value: added,
        records: [{ type: 'user_created', time, actor: operator, userId: added.id, details, origin }],
        events: [],
      };
    });
    return `Manager ${user.id} (${user.email}) can sign in.`;
  } finally {
    await hasher.close();
    await users.close();
  }
}

function readArguments(args: string[]): { email: string; name: string } {
  const { values } = parseArgs({ args, options: { email: { type: 'string' }, name: { type: 'string' } } });
  const { email, name } = values;
  if (!email || !name) throw new CommandError('usage: npm run create-manager -- --email <e-mail> --name <name>');
  return { email, name };
}

/** Reads the password without echoing it. If the input is a pipe, its first line is the password. */
async function askPassword(): Promise<string> {
  process.stderr.write(`Password (at least ${minPasswordCharacters} characters; it is not shown): `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  try {
    return await lines.question('', { signal: ended.signal });
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    throw new CommandError('no password: type one, or set MANAGER_PASSWORD');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
