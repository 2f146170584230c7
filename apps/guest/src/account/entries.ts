import type { Answer, Client } from '@comanda/client/core';
import { signal } from '@preact/signals';

export type Entry = Answer<'listEntries'>[number];
export type Entries = ReturnType<typeof createEntries>;

const pageSize = 15;

/** The loaded entries of one account, newest first. */
export function createEntries(client: Client, accountId: number) {
  /** The entries, newest first; null until they are loaded. */
  const all = signal<readonly Entry[] | null>(null);
  const hasOlder = signal(false);
  const isReadingOlder = signal(false);
  const newPages = () => client.pages('listEntries', { id: accountId, limit: pageSize });
  let olderPages: ReturnType<typeof newPages> | null = null;

  function add(more: readonly Entry[]): void {
    const byId = new Map([...(all.peek() ?? []), ...more].map((entry) => [entry.id, entry]));
    all.value = [...byId.values()].sort((a, b) => b.id - a.id);
  }
  /** Loads pages, newest first, until one contains a known entry, so that no entry in between is missing. */
  async function readNewest(): Promise<void> {
    const known = new Set((all.peek() ?? []).map(({ id }) => id));
    const pages = newPages();
    const read: Entry[] = [];
    for (;;) {
      const { value: page, done } = await pages.next();
      if (done === true || !page) {
        hasOlder.value = false;
        break;
      }
      read.push(...page);
      if (known.size === 0) {
        olderPages = pages;
        hasOlder.value = page.length === pageSize;
      }
      if (known.size === 0 || page.some(({ id }) => known.has(id))) break;
    }
    add(read);
  }
  /** Loads the next page of older entries. @throws CallFailure */
  async function readOlder(): Promise<void> {
    if (!olderPages || isReadingOlder.value) return;
    isReadingOlder.value = true;
    try {
      const { value: page, done } = await olderPages.next();
      hasOlder.value = done !== true && page.length === pageSize;
      if (page) add(page);
    } catch (error) {
      // A generator that has thrown is finished, so a new one starts from the first page.
      olderPages = newPages();
      throw error;
    } finally {
      isReadingOlder.value = false;
    }
  }
  return { all, hasOlder, isReadingOlder, readNewest, readOlder };
}
