import { uiMessages } from './messages.ts';

/** The name that the server gives to a guest without a name: the table, in English for all API clients. */
const unnamed = /^Table (.+)$/;

/** Returns the table for a guest who gave no name; undefined for any other name. */
const tableOfUnnamed = (stored: string): string | undefined => unnamed.exec(stored)?.[1];

/** Returns true if a guest gave no name. */
export const isUnnamed = (stored: string): boolean => tableOfUnnamed(stored) !== undefined;

/** Returns a guest's name for display; for a guest without a name, the table in the reader's language. */
export function guestName(stored: string): string {
  const table = tableOfUnnamed(stored);
  return table === undefined ? stored : uiMessages().tableOf(table);
}
