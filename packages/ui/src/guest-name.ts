import { uiMessages } from './messages.ts';

/** The name that the server gives to a guest who gave none: the table's, as all clients of the API know it. */
const unnamed = /^Table (.+)$/;

/** What people read as the name of a guest: of one without a name, the table in their own language. */
export function guestName(stored: string): string {
  const table = unnamed.exec(stored)?.[1];
  return table === undefined ? stored : uiMessages().tableOf(table);
}
