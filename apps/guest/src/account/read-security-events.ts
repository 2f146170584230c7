import type { Answer, Client } from '@comanda/client';
import { signal } from '@preact/signals';

export type SecurityEvent = Answer<'securityEvents'>[number];
const pageSize = 10;

/** The events that were read, newest first. */
export function createEvents(client: Pick<Client, 'pages'>) {
  const newPages = () => client.pages('securityEvents', { limit: pageSize });
  /** Null until they were read. */
  const all = signal<readonly SecurityEvent[] | null>(null);
  const failure = signal<unknown>(null);
  const hasOlder = signal(false);
  let pages = newPages();

  async function read(before: () => readonly SecurityEvent[]): Promise<void> {
    const own = pages;
    try {
      const page = (await own.next()).value ?? [];
      // The list was begun again meanwhile: this answer lacks what has happened since.
      if (own !== pages) return;
      hasOlder.value = page.length === pageSize;
      failure.value = null;
      all.value = [...before(), ...page];
    } catch (error) {
      if (own === pages) failure.value = error;
    }
  }
  return {
    all,
    failure,
    hasOlder,
    /** Begins again with the newest. */
    readNewest: (): Promise<void> => {
      pages = newPages();
      return read(() => []);
    },
    readOlder: (): Promise<void> => read(() => all.peek() ?? []),
  };
}
