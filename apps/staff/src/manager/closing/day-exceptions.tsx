import type { Exception } from '@comanda/contracts/exceptions';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { exceptionQueryOf } from '../bills/exception-filter.ts';
import { managerMessages } from '../messages.ts';
import { Panel } from '../panel.tsx';
import '../cash/movements.css';
import { closingMessages } from './messages.ts';

type DayExceptionsProps = { of: readonly Exception[]; openedAt: string; currency: string };

/** Lists what was taken off bills in this day, newest first, with who did it and why. */
export function DayExceptions({ of: exceptions, openedAt, currency }: DayExceptionsProps) {
  const words = closingMessages().exceptions;
  const { exceptions: names } = managerMessages();
  return (
    <Panel title={words.title}>
      {exceptions.length === 0 && <p class="dim">{words.none}</p>}
      <ul class="movements">
        {exceptions.map(({ id, at, kind, name, amount, by, reason }) => (
          <li key={id}>
            <span>
              <strong>{names.kindNames[kind] ?? kind}</strong> <bdi>{name}</bdi>
              <span class="dim">
                <bdi>{reason ?? names.noReason}</bdi>
                <br />
                {formatTime(at)}, <bdi>{by?.name ?? names.guest}</bdi>
              </span>
            </span>
            <b>{formatMoney(amount, currency)}</b>
          </li>
        ))}
      </ul>
      {exceptions.length > 0 && (
        <a
          class="button button-quiet button-small"
          href={`#/manager/audit/exceptions/${exceptionQueryOf({ since: openedAt })}`}
        >
          {words.all}
        </a>
      )}
    </Panel>
  );
}
