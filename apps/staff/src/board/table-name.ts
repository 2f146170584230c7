import { messages } from '../messages.ts';

/** Returns the letter before a table's number. A name gets none, because `MVaranda` would be read as one word. */
export const tableLetter = (table: string): string => (/^\d/.test(table) ? messages().ticket.tableLetter : '');

/** Returns `T12`, or `M12` in Portuguese; a name such as `Varanda` stays unchanged. */
export const tableName = (table: string | null): string =>
  table === null ? messages().ticket.noTable : tableLetter(table) + table;
