import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { refusal } from '../servers/refusal.ts';
import { writeAtomically } from './write-atomically.ts';

/** Secrets of the services that npm start runs, in the format of their settings. */
export type Secrets = { authSealingSecret: string; transfersSealingSecret: string; pinPepper: string };

const key = (): string => `local:${randomBytes(32).toString('base64')}`;

/** Reads the secrets that the data in the same folder was written with, or creates them. Only the owner can read the file. */
export function loadSecrets(path: string): Secrets {
  if (existsSync(path)) return parse(path);
  const secrets = { authSealingSecret: key(), transfersSealingSecret: key(), pinPepper: key() };
  writeAtomically(path, `${JSON.stringify(secrets, null, 2)}\n`, 0o600);
  return secrets;
}

function parse(path: string): Secrets {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
  } catch (error) {
    throw refusal(
      `${path} is damaged, and the keys in the database can't be decrypted without it. Delete the data and start again:   npm start -- --reset`,
      error,
    );
  }
}
