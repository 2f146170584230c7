// Lists tables and e-mail addresses that look different but count as the same, such as `T9` and `t9`: npm run find-twins, or node
// dist/find-twins.js in the image
import { normalEmail } from '@comanda/contracts/email-address';
import { showTwins, twinsOf } from '@comanda/contracts/text-key';
import { runCommand } from './run-command.ts';
import { createTableStore } from './tables/table-store.ts';
import { createUserStore } from './users/user-store.ts';

await runCommand({
  env: process.env,
  settings: {},
  run: async ({ connection, transactions }) => {
    const tables = (await createTableStore(connection).findAll()).map(({ name }) => name);
    const emails = await createUserStore({ connection, transactions }).findEmails();
    const lines = [
      ...twinsOf(tables).map((twins) => `Tables: ${showTwins(twins)}. Close one of them and remove it.`),
      ...twinsOf(emails, normalEmail).map(
        (twins) =>
          `E-mail addresses: ${showTwins(twins)}. Each signs in as it is written here. Disable the one that nobody uses.`,
      ),
    ];
    return lines.join('\n') || 'No two tables or e-mail addresses are the same.';
  },
});
