import { messages } from '../messages.ts';

/** `T12` in large type, with the letter in a lighter weight, so that the number is read first. */
export const TableName = ({ table }: { table: string | null }) => (
  <span class="ticket-table">
    {table === null ? (
      <small>{messages().ticket.noTable}</small>
    ) : (
      <>
        <span>{messages().ticket.tableLetter}</span>
        {table}
      </>
    )}
  </span>
);
