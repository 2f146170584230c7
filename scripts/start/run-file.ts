import { rmSync } from 'node:fs';
import type { ServiceName } from './service-settings.ts';
import { writeAtomically } from './write-atomically.ts';

type Entry = { url: string; pid?: number };
type Name = ServiceName | 'mongodb' | 'redis' | 'rabbitmq';

/** A file that says which process serves what, and where, for tools and tests. It is there while all of it is ready. */
export type RunFile = {
  /** Where something is; a server that is not ours has no pid. From `publish` on, the file is written anew. */
  note: (name: Name, entry: Entry) => void;
  publish: () => void;
};

export function createRunFile(path: string): RunFile {
  rmSync(path, { force: true });
  const entries: Partial<Record<Name, Entry>> = {};
  let published = false;
  // For its owner alone: URLs may hold passwords.
  const write = (): void => writeAtomically(path, `${JSON.stringify(entries, null, 2)}\n`, 0o600);
  return {
    note: (name, entry) => {
      entries[name] = entry;
      if (published) write();
    },
    publish: () => {
      published = true;
      write();
    },
  };
}
