import { uiMessages } from './messages.ts';

/** The name that the server gives to a guest without one: the table's, in English for all clients of the API. */
const unnamed = /^Table (.+)$/;

/** The table in the name of a guest who gave none; undefined for any other name. */
const tableOfUnnamed = (stored: string): string | undefined => unnamed.exec(stored)?.[1];

/** Whether a guest gave no name. */
export const isUnnamed = (stored: string): boolean => tableOfUnnamed(stored) !== undefined;

/** A guest's name for display; for a guest without one, the table in the reader's language. */
export function guestName(stored: string): string {
  const table = tableOfUnnamed(stored);
  return table === undefined ? stored : uiMessages().tableOf(table);
}
