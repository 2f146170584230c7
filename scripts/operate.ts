// npm run create-manager | create-setup-code | rotate-keys | approve-pin-reset | verify-ledger | verify-receipt | verify-days |
// find-twins: runs
// a service's command on the stack that npm start runs in this folder, or on the database in MONGODB_URI. To verify a receipt, it
// uses the keys from that stack's gateway, unless --jwks names other keys.
import { join } from 'node:path';
import { defineCommand, readCommandLine, type Command } from './command-line.ts';
import { comandaDir } from '@comanda/local-stack/root';
import {
  findRunningStack,
  isGiven,
  refuseWithoutStack,
  runServiceCommand,
  type RunningStack,
} from './operate/service-command.ts';
import { loadSecrets } from './start/secrets.ts';

const email = { value: 'E-MAIL', help: 'the e-mail address of the user' };
const jwks = { value: 'SOURCE', help: 'a file or URL with the public keys' };
/** The commands' options. The services parse the same options too, because an image runs the commands without this file. */
const commands: Readonly<Record<string, Pick<Command, 'about' | 'options' | 'operands' | 'settings'>>> = {
  'create-manager': {
    about: 'Creates the first manager of the restaurant.',
    options: { email, name: { value: 'NAME', help: 'their name' } },
    settings: { MANAGER_PASSWORD: 'their password; without it, the command asks' },
  },
  'create-setup-code': {
    about: 'Prints a code with which the first manager of the restaurant is created in the browser.',
    options: {},
    settings: {
      PUBLIC_URL: 'the address of the apps, which is printed',
      STAFF_URL: "the address of the staff's app, if it has its own",
    },
  },
  'rotate-keys': {
    about: 'Publishes the next key for access tokens now.',
    options: { revoke: { value: 'KID', help: 'take this key out of use at once; a new one signs' } },
  },
  'approve-pin-reset': {
    about: 'Approves that a manager sets a new PIN, if there is no other manager who could.',
    options: { email },
  },
  'find-twins': {
    about:
      'Lists names that people read as the same and that an earlier release has kept apart: dishes, categories, stations, tables,\n' +
      'e-mail addresses. It changes nothing.',
    options: {},
  },
  'verify-ledger': {
    about: 'Checks whether the ledger is as it was written.',
    options: {
      jwks,
      checkpoint: { value: 'SIGNATURE', help: 'a checkpoint from a log, which the ledger must contain' },
      'without-consents': { help: 'while auth-stepup, which publishes the keys of consents, does not run' },
    },
  },
  'verify-days': {
    about: 'Checks whether the reports of closed days are as they were closed.',
    options: {
      jwks,
      hash: { value: 'DAY:HASH', help: 'a hash from paper, such as 214:ab…, which the day must have' },
    },
  },
  'verify-receipt': {
    about: 'Checks whether a receipt is genuine, and prints it. Without RECEIPT it reads standard input.',
    options: { jwks },
    operands: { usage: '[RECEIPT]', help: 'as the API gave it' },
  },
};

const [command = '', ...args] = process.argv.slice(2);
const definition = commands[command];
if (!definition) throw new Error(`There is no command ${command}.`);
const { values } = readCommandLine(defineCommand({ name: `npm run ${command}`, script: command, ...definition }), args);
const services =
  command === 'verify-days'
    ? ['orders']
    : command.startsWith('verify-')
      ? ['transfers']
      : command === 'find-twins'
        ? ['orders', 'auth-stepup']
        : ['auth-stepup'];

const keySetOf = ({ gateway }: RunningStack): string => `${gateway.url}/.well-known/jwks.json`;

/** Returns the settings of the services that npm start runs, unless the environment names another database. */
function settingsOf(service: string, stack: RunningStack | null): Record<string, string> {
  if (isGiven('MONGODB_URI') || !stack) return {};
  const { authSealingSecret, transfersSealingSecret } = loadSecrets(join(comandaDir, 'data', 'secrets.json'));
  const secret = service === 'transfers' ? transfersSealingSecret : authSealingSecret;
  const { PUBLIC_URL = stack.gateway.url } = process.env;
  return { MONGODB_URI: stack.mongodb.url, KEY_SEALING_SECRET: secret, JWKS_URL: keySetOf(stack), PUBLIC_URL };
}

const stack = findRunningStack();
const readsDatabase = command !== 'verify-receipt';
if (readsDatabase && !stack && !isGiven('MONGODB_URI')) refuseWithoutStack('MONGODB_URI');
const needsKeys = !readsDatabase && !('jwks' in values);
const keys = stack && needsKeys ? ['--jwks', keySetOf(stack)] : [];
let exitCode = 0;
for (const service of services) {
  const env = readsDatabase ? settingsOf(service, stack) : {};
  exitCode = Math.max(exitCode, await runServiceCommand({ service, command, args: [...keys, ...args], env }));
}
process.exitCode = exitCode;
