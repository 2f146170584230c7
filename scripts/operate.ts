// npm run create-manager | rotate-keys | approve-pin-reset | verify-ledger | verify-receipt: runs a command of auth-stepup
// or transfers against the stack that npm start runs in this folder, or against the database in MONGODB_URI. A receipt is
// verified with the keys of that stack's gateway, unless --jwks names others.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { defineCommand, readCommandLine, type Command } from './command-line.ts';
import { comandaDir, root } from '@comanda/local-stack/root';
import { loadSecrets } from './start/secrets.ts';

const email = { value: 'E-MAIL', help: 'the e-mail address of the user' };
const jwks = { value: 'SOURCE', help: 'a file or URL with the public keys of receipts' };
/** The services read the options again: in an image, these commands run without this file. */
const commands: Readonly<Record<string, Pick<Command, 'about' | 'options' | 'operands' | 'settings'>>> = {
  'create-manager': {
    about: 'Creates the first manager of the restaurant.',
    options: { email, name: { value: 'NAME', help: 'their name' } },
    settings: { MANAGER_PASSWORD: 'their password; without it, the command asks' },
  },
  'rotate-keys': {
    about: 'Publishes the next key for access tokens now.',
    options: { revoke: { value: 'KID', help: 'take this key out of use at once; a new one signs' } },
  },
  'approve-pin-reset': {
    about: 'Approves that a manager sets a new PIN, if there is no other manager who could.',
    options: { email },
  },
  'verify-ledger': {
    about: 'Checks whether the ledger is as it was written.',
    options: {
      jwks,
      checkpoint: { value: 'SIGNATURE', help: 'a checkpoint from a log, which the ledger must contain' },
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
const service = command.startsWith('verify-') ? 'transfers' : 'auth-stepup';

type RunningStack = Record<'mongodb' | 'gateway', { url: string }>;

/** What npm start runs in this folder; null if it does not run. */
function findRunningStack(): RunningStack | null {
  const runFile = join(comandaDir, 'run.json');
  return existsSync(runFile) ? (JSON.parse(readFileSync(runFile, 'utf8')) as RunningStack) : null;
}

/** The settings that npm start gave to its services, unless the environment names another database. */
function settingsOf(stack: RunningStack | null): Record<string, string> {
  const { MONGODB_URI: uri, MONGODB_URI_FILE: uriFile } = process.env;
  if (uri || uriFile || !stack) return {};
  const { authSealingSecret, transfersSealingSecret } = loadSecrets(join(comandaDir, 'data', 'secrets.json'));
  const secret = service === 'transfers' ? transfersSealingSecret : authSealingSecret;
  return { MONGODB_URI: stack.mongodb.url, KEY_SEALING_SECRET: secret };
}

const stack = findRunningStack();
const readsDatabase = command !== 'verify-receipt';
if (readsDatabase && !stack && !process.env['MONGODB_URI'] && !process.env['MONGODB_URI_FILE']) {
  console.error(
    `npm start does not run with the data in ${comandaDir}. Start it first, or set MONGODB_URI, or COMANDA_DIR to the folder of npm start.`,
  );
  process.exit(1);
}
const needsKeys = !readsDatabase && !('jwks' in values);
const keys = stack && needsKeys ? ['--jwks', `${stack.gateway.url}/.well-known/jwks.json`] : [];
const script = `services/${service}/src/${command}.ts`;
const child = spawn(process.execPath, ['--conditions=source', script, ...keys, ...args], {
  cwd: root,
  env: { ...process.env, ...(readsDatabase && settingsOf(stack)) },
  stdio: 'inherit',
});
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;
