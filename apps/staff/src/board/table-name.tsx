import { classNames } from '@comanda/ui/class-names.ts';
import { messages } from '../messages.ts';
import { tableLetter } from './table-name.ts';

const sizeOf = (table: string | null): 'short' | 'long' | 'longest' => {
  const { length } = table ?? '';
  if (length <= 3) return 'short';
  return length <= 6 ? 'long' : 'longest';
};

/** Shows a table in large type. In `T12`, the letter is lighter, so that the number is read first; a name has no letter. */
export const TableName = ({ table }: { table: string | null }) => (
  <span
    class={classNames(
      'ticket-table',
      sizeOf(table) === 'long' && 'ticket-table-long',
      sizeOf(table) === 'longest' && 'ticket-table-longest',
    )}
  >
    {table === null ? (
      <small>{messages().ticket.noTable}</small>
    ) : (
      <>
        <span>{tableLetter(table)}</span>
        {table}
      </>
    )}
  </span>
);
