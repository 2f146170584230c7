import { rmSync } from 'node:fs';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import { writeAtomically } from '@comanda/local-stack/write-atomically';

type Entry = { url: string; pid?: number };
type Name = ServiceName | 'mongodb' | 'redis' | 'rabbitmq';

/**
 * A file for tools and tests, with the URL and process id of each server and service. It exists while all servers and services
 * are ready.
 */
export type RunFile = {
  /**
   * Sets an entry. A server that npm start didn't start has no pid. After `publish`, each change is written immediately.
   */
  set: (name: Name, entry: Entry) => void;
  publish: () => void;
};

export function createRunFile(path: string): RunFile {
  rmSync(path, { force: true });
  const entries: Partial<Record<Name, Entry>> = {};
  let published = false;
  // Only the user can read the file, because URLs may contain passwords.
  const write = (): void => writeAtomically(path, `${JSON.stringify(entries, null, 2)}\n`, 0o600);
  return {
    set: (name, entry) => {
      entries[name] = entry;
      if (published) write();
    },
    publish: () => {
      published = true;
      write();
    },
  };
}
