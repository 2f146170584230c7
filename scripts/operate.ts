// npm run create-manager | rotate-keys | approve-pin-reset | verify-ledger | verify-receipt: runs a command of auth-stepup
// or transfers against the stack that npm start runs in this folder, or against the database in MONGODB_URI.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { comandaDir, root } from './root.ts';
import { loadSecrets } from './start/secrets.ts';

const [command = '', ...args] = process.argv.slice(2);
const service = command.startsWith('verify-') ? 'transfers' : 'auth-stepup';

/** The settings that npm start gave to its services, unless the environment names another database. */
function settingsOfRunningStack(): Record<string, string> {
  const runFile = join(comandaDir, 'run.json');
  const { MONGODB_URI: uri, MONGODB_URI_FILE: uriFile } = process.env;
  if (uri || uriFile || !existsSync(runFile)) return {};
  const { mongodb } = JSON.parse(readFileSync(runFile, 'utf8')) as { mongodb: { url: string } };
  const { authSealingSecret, transfersSealingSecret } = loadSecrets(join(comandaDir, 'data', 'secrets.json'));
  const secret = service === 'transfers' ? transfersSealingSecret : authSealingSecret;
  return { MONGODB_URI: mongodb.url, KEY_SEALING_SECRET: secret };
}

const child = spawn(process.execPath, ['--conditions=source', `services/${service}/src/${command}.ts`, ...args], {
  cwd: root,
  env: { ...process.env, ...settingsOfRunningStack() },
  stdio: 'inherit',
});
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;
