import { existsSync, readFileSync } from 'node:fs';
import { newSecrets, type Secrets } from '@comanda/local-stack/secrets';
import { refusal } from '@comanda/local-stack/servers/refusal';
import { writeAtomically } from '@comanda/local-stack/write-atomically';

/** Loads the secrets that belong to the data in the same folder, or creates new ones. Only the user can read the file. */
export function loadSecrets(path: string): Secrets {
  if (existsSync(path)) return parse(path);
  const secrets = newSecrets();
  writeAtomically(path, `${JSON.stringify(secrets, null, 2)}\n`, 0o600);
  return secrets;
}

function parse(path: string): Secrets {
  try {
    // The services' secrets aren't needed to read the data, and files from earlier versions lack them.
    return { ...newSecrets(), ...(JSON.parse(readFileSync(path, 'utf8')) as Partial<Secrets>) };
  } catch (error) {
    throw refusal(
      `${path} is damaged, and the keys in the database can't be decrypted without it. Delete the data and start again:   npm start -- --reset`,
      error,
    );
  }
}
