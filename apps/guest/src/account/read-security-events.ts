import type { Answer, Client } from '@comanda/client/core';
import { signal } from '@preact/signals';

export type SecurityEvent = Answer<'securityEvents'>[number];
const pageSize = 10;

/** A user's security events, newest first, loaded page by page. */
export function createEvents(client: Pick<Client, 'pages'>) {
  const newPages = () => client.pages('securityEvents', { limit: pageSize });
  /** The loaded events; null until the first page is loaded. */
  const all = signal<readonly SecurityEvent[] | null>(null);
  const failure = signal<unknown>(null);
  const hasOlder = signal(false);
  let pages = newPages();

  async function read(before: () => readonly SecurityEvent[]): Promise<void> {
    const own = pages;
    try {
      const page = (await own.next()).value ?? [];
      // The list was restarted while this page was loading, so the page may lack recent events.
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
    /** Discards the list and loads the newest events. */
    readNewest: (): Promise<void> => {
      pages = newPages();
      return read(() => []);
    },
    readOlder: (): Promise<void> => read(() => all.peek() ?? []),
  };
}
