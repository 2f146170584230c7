// npm run create-manager | rotate-keys | approve-pin-reset | verify-ledger | verify-receipt: a command of auth-stepup or
// transfers, for the house that npm start runs in this folder, or for the one that MONGODB_URI names.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { comandaDir, root } from './root.ts';
import { loadSecrets } from './start/secrets.ts';

const [command = '', ...args] = process.argv.slice(2);
const service = command.startsWith('verify-') ? 'transfers' : 'auth-stepup';

/** What the running house's own services were given, where the environment names no other house. */
function settingsOfHouse(): Record<string, string> {
  const runFile = join(comandaDir, 'run.json');
  if (process.env['MONGODB_URI'] || !existsSync(runFile)) return {};
  const { mongodb } = JSON.parse(readFileSync(runFile, 'utf8')) as { mongodb: { url: string } };
  const { authSealingSecret, transfersSealingSecret } = loadSecrets(join(comandaDir, 'data', 'secrets.json'));
  const secret = service === 'transfers' ? transfersSealingSecret : authSealingSecret;
  return { MONGODB_URI: mongodb.url, KEY_SEALING_SECRET: secret };
}

const child = spawn(process.execPath, ['--conditions=source', `services/${service}/src/${command}.ts`, ...args], {
  cwd: root,
  env: { ...process.env, ...settingsOfHouse() },
  stdio: 'inherit',
});
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;
