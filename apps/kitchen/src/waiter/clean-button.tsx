import type { Table } from '@comanda/contracts/users';
import { Button } from '@comanda/ui/button.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { seatingMessages } from './seating-messages.ts';
import type { WaiterSession } from './waiter-session.ts';

/** One tap for a table that its guests have left. */
export function CleanButton({ session, table }: { session: WaiterSession; table: Table }) {
  const words = seatingMessages();
  const { failure, isBusy, run } = useAction();
  return (
    <>
      {failure !== null && <p role="alert">{failureWords(failure).happened}</p>}
      <Button
        size="small"
        icon={<Icon name="check" />}
        aria-disabled={isBusy}
        aria-label={words.isClean(table.table)}
        onClick={() => void run(() => session.guests.clean(table))}
      >
        {words.clean}
      </Button>
    </>
  );
}
