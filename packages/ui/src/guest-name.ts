import { uiMessages } from './messages.ts';

/** Matches the name that the server gives to a guest without a name: the table's name in English, such as `Table 12`. */
const unnamed = /^Table (.+)$/;

/** Returns the table's name from an unnamed guest's name, or undefined if the guest has a name. */
const tableOfUnnamed = (stored: string): string | undefined => unnamed.exec(stored)?.[1];

/** Returns true if the guest has not entered a name. */
export const isUnnamed = (stored: string): boolean => tableOfUnnamed(stored) !== undefined;

/** Returns a guest's name to show on the screen. For a guest without a name, this is the table in the page's language. */
export function guestName(stored: string): string {
  const table = tableOfUnnamed(stored);
  return table === undefined ? stored : uiMessages().tableOf(table);
}
