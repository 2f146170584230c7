import type { Table } from '@comanda/contracts/tables';
import { classNames } from '@comanda/ui/class-names.ts';
import { Button } from '@comanda/ui/button.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { seatingMessages } from './seating-messages.ts';
import { useSettling } from './use-settling.ts';
import type { WaiterSession } from './waiter-session.ts';

type Props = {
  session: WaiterSession;
  table: Table;
  /** `small` on a table's card; `medium` on the table's page, to match the other buttons. */ size: 'small' | 'medium';
  /** `primary` where cleaning is the table's next step. */ kind?: 'primary' | 'secondary';
};

/**
 * Marks a table that its guests have left as clean, with one tap. A tap right after the button has appeared was meant for another
 * one, which was there before.
 */
export function CleanButton({ session, table, size, kind = 'secondary' }: Props) {
  const words = seatingMessages();
  const { failure, isBusy, run } = useAction();
  const settling = useSettling();
  return (
    <>
      {failure !== null && <p role="alert">{failureWords(failure).happened}</p>}
      <Button
        class={classNames(settling)}
        kind={kind}
        size={size}
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
