import { uiMessages } from './messages.ts';

/** The name that the server gives to a guest who gave none: the table's, as all clients of the API know it. */
const unnamed = /^Table (.+)$/;

/** The table after which the server has called a guest who gave no name; undefined for every other name. */
const tableOfUnnamed = (stored: string): string | undefined => unnamed.exec(stored)?.[1];

/** Whether a guest gave no name. */
export const isUnnamed = (stored: string): boolean => tableOfUnnamed(stored) !== undefined;

/** What people read as the name of a guest: of one without a name, the table in their own language. */
export function guestName(stored: string): string {
  const table = tableOfUnnamed(stored);
  return table === undefined ? stored : uiMessages().tableOf(table);
}
