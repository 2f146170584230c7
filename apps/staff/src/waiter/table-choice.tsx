import type { Table } from '@comanda/contracts/tables';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { tableChoiceLabel, waiterMessages } from './messages.ts';
import './table-choice.css';

type TableChoiceProps = {
  tables: readonly Table[];
  isTaken: (table: Table) => boolean;
} & ({ hrefOf: (table: Table) => string } | { onChoose: (table: Table) => void });

/** Lets the waiter select one of all tables, as links or as buttons. */
export function TableChoice({ tables, isTaken, ...on }: TableChoiceProps) {
  return (
    <ul class="waiter-table-choice">
      {tables.map((each) => {
        const label = tableChoiceLabel(each.table, isTaken(each));
        const text = (
          <>
            {each.table} {isTaken(each) && <small>{waiterMessages().taken}</small>}
          </>
        );
        const seated = isTaken(each) && 'waiter-seated';
        return (
          <li key={each.table}>
            {'hrefOf' in on ? (
              <a
                class={classNames('button button-secondary button-medium', seated)}
                aria-label={label}
                href={on.hrefOf(each)}
              >
                <span class="button-text">{text}</span>
              </a>
            ) : (
              <Button class={classNames(seated)} aria-label={label} onClick={() => on.onChoose(each)}>
                {text}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
