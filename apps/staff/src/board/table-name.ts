import { messages } from '../messages.ts';

/** What stands before a number. A name needs none: `MVaranda` would be read as a word. */
export const tableLetter = (table: string): string => (/^\d/.test(table) ? messages().ticket.tableLetter : '');

/** `T12`, and in Portuguese `M12`; `Varanda` as it is. */
export const tableName = (table: string | null): string =>
  table === null ? messages().ticket.noTable : tableLetter(table) + table;
