import { uiMessages } from './messages.ts';

/** Matches the name that the server gives to an unnamed guest, which is the table in English for all API clients. */
const unnamed = /^Table (.+)$/;

/** Returns the table of an unnamed guest, or undefined for any other name. */
const tableOfUnnamed = (stored: string): string | undefined => unnamed.exec(stored)?.[1];

/** Returns true if the guest has not given a name. */
export const isUnnamed = (stored: string): boolean => tableOfUnnamed(stored) !== undefined;

/** Returns a guest's name for the screen. For an unnamed guest, this is the table in the reader's language. */
export function guestName(stored: string): string {
  const table = tableOfUnnamed(stored);
  return table === undefined ? stored : uiMessages().tableOf(table);
}
