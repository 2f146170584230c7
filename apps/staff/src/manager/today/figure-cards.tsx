import type { FiguresBefore } from '@comanda/contracts/reports';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatMoney } from '@comanda/ui/format.ts';
import type { ComponentChildren } from 'preact';
import { shortMoney } from '../../waiter/short-money.ts';
import { latePercent, perBill } from './day-figures.ts';
import './figure-cards.css';
import type { FiguresViewProps } from './figures-view.tsx';
import { todayMessages } from './messages.ts';
import { managerMessages } from '../messages.ts';

type FigureCardsProps = Pick<FiguresViewProps, 'figures' | 'weekday' | 'untilHour' | 'isRunning' | 'currency'> & {
  ordered: string;
  /** By how many percent sales are above the same weekday before; null if there is nothing to compare with. */
  change: number | null;
};

/** The day's main figures, each beside that of the same weekday before. */
export function FigureCards({ figures, weekday, untilHour, isRunning, currency, ordered, change }: FigureCardsProps) {
  const words = todayMessages();
  const { bills, guests, late, before } = figures;
  /** A figure of the day before, such as `8% last Saturday`. Counts that still grow can't be compared. */
  const then = (read: (day: FiguresBefore) => string | null): string | null => {
    const value = before && read(before);
    return value === null ? null : words.before(value, weekday);
  };
  const each = perBill(figures);
  const percent = latePercent(figures);
  return (
    <dl class="figure-cards">
      <Card name={words.ordered} value={shortMoney(ordered, currency)}>
        {change === null ? words.orderedHint : changeText(change, { weekday, untilHour })}
      </Card>
      <Card
        name={isRunning ? words.openBills : managerMessages().nav.bills}
        value={String(isRunning ? bills.open : bills.closed)}
      >
        {isRunning
          ? [bills.open > 0 && words.toPay(formatMoney(bills.remaining, currency)), words.closedBills(bills.closed)]
              .filter(Boolean)
              .join(', ')
          : bills.open > 0
            ? words.carriedOver(bills.open)
            : then((day) => String(day.bills.closed))}
      </Card>
      <Card name={words.guests} value={guests === null ? '–' : String(guests)}>
        {guests === null
          ? words.noGuests
          : !isRunning && then((day) => (day.guests === null ? null : String(day.guests)))}
      </Card>
      <Card name={words.perBill} value={each === null ? '–' : shortMoney(each, currency)}>
        {each === null
          ? words.noBills
          : then((day) => {
              const other = perBill(day);
              return other && shortMoney(other, currency);
            })}
      </Card>
      <Card name={words.late} value={percent === null ? '–' : `${percent}%`}>
        {percent === null ? words.noneReady : words.lateOf(late.items, late.of)}
        {percent !== null && (
          <span>
            {then((day) => {
              const other = latePercent(day);
              return other === null ? null : `${other}%`;
            })}
          </span>
        )}
      </Card>
    </dl>
  );
}

function changeText(change: number, { weekday, untilHour }: { weekday: number; untilHour: number | null }): string {
  const words = todayMessages();
  const text =
    change === 0 ? words.same(weekday) : change > 0 ? words.above(change, weekday) : words.below(-change, weekday);
  return untilHour === null ? text : words.until(text, untilHour);
}

type CardProps = { name: string; value: string; children: ComponentChildren };
const Card = ({ name, value, children }: CardProps) => (
  <div class="card column gap-1 figure-card">
    <dt>{name}</dt>
    <dd class={classNames('figure-card-value money', value.length > 12 && 'figure-card-long')}>{value}</dd>
    <dd class="figure-card-more">{children}</dd>
  </div>
);
