import { messages } from '../messages.ts';

/** `T12`, and in Portuguese `M12`. */
export const tableName = (table: string | null): string =>
  table === null ? messages().ticket.noTable : messages().ticket.tableLetter + table;
