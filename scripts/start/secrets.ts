import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { refusal } from '../servers/refusal.ts';
import { writeAtomically } from './write-atomically.ts';

/** Secrets of the house that npm start runs, in the form in which the services take them. */
export type Secrets = { authSealingSecret: string; transfersSealingSecret: string; pinPepper: string };

const key = (): string => randomBytes(32).toString('base64');

/** Those that the data in the same folder was written with; made the first time, readable by their owner alone. */
export function loadSecrets(path: string): Secrets {
  if (existsSync(path)) return parse(path);
  const secrets = { authSealingSecret: key(), transfersSealingSecret: key(), pinPepper: `local:${key()}` };
  writeAtomically(path, `${JSON.stringify(secrets, null, 2)}\n`, 0o600);
  return secrets;
}

function parse(path: string): Secrets {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
  } catch (error) {
    throw refusal(
      `${path} is damaged, and without it the keys in the database can't be opened. Forget the data and start anew:   npm start -- --reset`,
      error,
    );
  }
}
