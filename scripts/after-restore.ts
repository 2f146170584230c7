// npm run after-restore: finishes restoring MongoDB from a backup. It works on the stack that npm start runs in this folder, or
// on the servers that the environment names. docs/run/back-up-and-restore.md explains when to run it.
import { join } from 'node:path';
import { comandaDir } from '@comanda/local-stack/root';
import { MongoClient } from 'mongodb';
import { findMissingUsers } from './after-restore/check-users.ts';
import { defineCommand, readCommandLine } from './command-line.ts';
import { readDatabases, readSecret } from './operate/databases.ts';
import { findRunningStack, isGiven, refuseWithoutStack, runServiceCommand } from './operate/service-command.ts';
import { loadSecrets } from './start/secrets.ts';

const { values } = readCommandLine(
  defineCommand({
    name: 'npm run after-restore',
    script: 'after-restore',
    about:
      'After MongoDB was restored: gives the orders a new epoch and new ids, deletes the stream of events, has the\npayments of bills told to orders again, and checks what the databases say of each other. Best while no service runs; it may be repeated.',
    options: {
      jwks: { value: 'SOURCE', help: 'a file or URL with the public keys of receipts, to verify the ledger' },
    },
    settings: {
      MONGODB_URI: 'the restored servers; without it, those of npm start',
      RABBITMQ_URL: 'the broker, with its vhost',
      KEY_SEALING_SECRET: 'that of transfers, to verify the ledger; or use --jwks',
      DATABASES: 'the names of the databases (comanda_orders,comanda_auth,comanda_transfers)',
    },
  }),
);

const stack = isGiven('MONGODB_URI') ? null : findRunningStack();
if (!stack && !(isGiven('MONGODB_URI') && isGiven('RABBITMQ_URL'))) refuseWithoutStack('MONGODB_URI and RABBITMQ_URL');
const env = stack
  ? {
      MONGODB_URI: stack.mongodb.url,
      RABBITMQ_URL: stack.rabbitmq.url,
      KEY_SEALING_SECRET: loadSecrets(join(comandaDir, 'data', 'secrets.json')).transfersSealingSecret,
    }
  : {};
const databases = readDatabases(process.env['DATABASES']);

const started = await runServiceCommand({
  service: 'orders',
  command: 'after-restore',
  env: { ...env, MONGODB_DATABASE: databases.orders },
});
if (started !== 0) process.exit(started);

const skipped = await runServiceCommand({
  service: 'auth-stepup',
  command: 'after-restore',
  env: { ...env, MONGODB_DATABASE: databases.auth },
});
if (skipped !== 0) process.exit(skipped);

const problems: string[] = [];
if (stack || isGiven('KEY_SEALING_SECRET') || values.jwks !== undefined) {
  // No service is running that could publish the keys for step-up tokens, so consents are checked only with `--jwks`.
  const args = values.jwks === undefined ? ['--without-consents'] : ['--jwks', values.jwks];
  const verified = await runServiceCommand({
    service: 'transfers',
    command: 'verify-ledger',
    args,
    env: { ...env, MONGODB_DATABASE: databases.transfers },
  });
  if (verified !== 0) problems.push('The ledger is not as it was written: see above.');
} else console.log('The ledger was not verified: set KEY_SEALING_SECRET, or use --jwks.');

const reported = await runServiceCommand({
  service: 'transfers',
  command: 'after-restore',
  env: { ...env, MONGODB_DATABASE: databases.transfers },
});
if (reported !== 0) process.exit(reported);

const client = new MongoClient(stack?.mongodb.url ?? readSecret('MONGODB_URI'));
try {
  for (const { what, count, someIds } of await findMissingUsers(client, databases))
    problems.push(
      `There are ${what} of ${count} ${count === 1 ? 'user who is' : 'users who are'} not in ${databases.auth}: ${someIds.join(', ')}${count > someIds.length ? ' …' : ''}.`,
    );
} finally {
  await client.close();
}
console.log(
  problems.length === 0
    ? 'Every user who has accounts, or orders of the last 30 days, is in the database of users.'
    : `\nThe databases do not match. Were they backed up at one moment?\n${problems.join('\n')}`,
);
console.log(`
What no check can find, because only the lost data had it:
- Sessions, PINs, passwords and blocked users are as they were at the backup. Who has refreshed a session since must sign
  in again; a session or a PIN that was ended since is valid again, so end it again.
- Links of invitations that were accepted or withdrawn since work again for the rest of their 72 hours: withdraw them.
- What managers have stopped since, transfers or sign-ups, goes on again: stop it again.
- Signing keys that were published since are unknown: access tokens that they signed are refused.
- Orders and transfers that were made since are lost, also those that somebody has a receipt for.

Next: start the services. Then npm run verify-ledger verifies the ledger with its consents. Tell the kitchen to compare its slips with its screens.`);
process.exitCode = problems.length === 0 ? 0 : 1;
