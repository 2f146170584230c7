// A first manager: MANAGER_PASSWORD=… npm run create-manager -- --email marta@house.example --name Marta
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { registerUser as contract } from '@comanda/contracts/users';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createHasher } from './passwords/hasher.ts';
import { registerUser } from './people/register.ts';
import { createUserStore } from './people/user-store.ts';
import { CommandError, runCommand } from './run-command.ts';

await runCommand({
  env: process.env,
  settings: {},
  run: async ({ connection, transactions }) => {
    const { email, name } = readArguments();
    const password = process.env['MANAGER_PASSWORD'] || (await askPassword());
    const { error } = contract.body?.validate({ name, email, password }, { convert: false }) ?? {};
    if (error) throw new CommandError(error.message);
    const users = createUserStore({ connection, transactions });
    const hasher = createHasher({ workers: 1, queue: 1, metrics: createMetrics('auth-stepup') });
    try {
      await users.prepare();
      const who = { name, email, password, role: 'manager', passwordSetBy: 'oneself' } as const;
      const user = await registerUser({ users, hasher, clock: Date.now }, who);
      return `Manager ${user.id} (${user.email}) can sign in.`;
    } finally {
      await hasher.close();
      await users.close();
    }
  },
});

function readArguments(): { email: string; name: string } {
  const { values } = parseArgs({ options: { email: { type: 'string' }, name: { type: 'string' } } });
  const { email, name } = values;
  if (!email || !name) throw new CommandError('usage: npm run create-manager -- --email <e-mail> --name <name>');
  return { email, name };
}

/** Not echoed; from a pipe the first line is taken. */
async function askPassword(): Promise<string> {
  process.stderr.write('Password: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY });
  const password = await lines.question('');
  lines.close();
  process.stderr.write('\n');
  return password;
}
