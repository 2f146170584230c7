import type { CashCount } from '@comanda/contracts/cash-drawers';
import { formatDay, formatMoney, formatTime } from '@comanda/ui/format.ts';
import { differenceText } from './difference.ts';
import { cashMessages } from './messages.ts';
import './movements.css';

type CountRowsProps = {
  counts: readonly CashCount[];
  currency: string;
  /** Whether all counts are of one day. */
  isOneDay?: boolean;
};

/** Lists counts, each with what it has found and what stayed. */
export function CountRows({ counts, currency, isOneDay = false }: CountRowsProps) {
  const words = cashMessages();
  return (
    <ul class="movements">
      {counts.map(({ id, at, by, counted, difference, left }) => (
        <li key={id}>
          <span>
            <strong>{differenceText(difference, currency)}</strong>
            <span class="dim">
              {words.movements.by(isOneDay ? formatTime(at) : `${formatDay(at)}, ${formatTime(at)}`, by.name)}
              {left !== counted && (
                <>
                  <br />
                  {words.count.stays(formatMoney(left, currency))}
                </>
              )}
            </span>
          </span>
          <b>{formatMoney(counted, currency)}</b>
        </li>
      ))}
    </ul>
  );
}
