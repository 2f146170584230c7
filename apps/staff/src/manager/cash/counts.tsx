import type { CashCount } from '@comanda/contracts/cash-drawers';
import { formatDay, formatMoney, formatTime } from '@comanda/ui/format.ts';
import { Panel } from '../panel.tsx';
import { differenceText } from './last-count.tsx';
import { cashMessages } from './messages.ts';

/** Lists the counts of a cash drawer, newest first. */
export function Counts({ counts, currency }: { counts: readonly CashCount[]; currency: string }) {
  const words = cashMessages();
  return (
    <Panel title={words.counts.title}>
      {counts.length === 0 && <p class="manager-dim">{words.counts.none}</p>}
      <ul class="movements">
        {counts.map(({ id, at, by, counted, difference, left }) => (
          <li key={id}>
            <span>
              <strong>{differenceText(difference, currency)}</strong>
              <span class="manager-dim">
                {words.movements.by(`${formatDay(at)}, ${formatTime(at)}`, by.name)}
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
    </Panel>
  );
}
