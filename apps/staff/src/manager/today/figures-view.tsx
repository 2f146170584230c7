import type { Figures } from '@comanda/contracts/reports';
import type { Station } from '@comanda/contracts/stations';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { restaurantClock } from '@comanda/ui/restaurant-time.ts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { exceptionQueryOf } from '../bills/exception-filter.ts';
import { Panel } from '../panel.tsx';
import { sumOf } from '../sum-of.ts';
import { BarTable, type Bar } from './bar-table.tsx';
import {
  comparison,
  hoursOf,
  orderedOf,
  sharesOf,
  takenOffByPerson,
  tipsByPerson,
  type OfPerson,
} from './day-figures.ts';
import { FigureCards } from './figure-cards.tsx';
import './figures-view.css';
import { HoursChart } from './hours-chart.tsx';
import { todayMessages } from './messages.ts';
import { StationsChart } from './stations-chart.tsx';

const dishesAtFirst = 6;

export type FiguresViewProps = {
  figures: Figures;
  /** 0 for Sunday: the day's weekday. */
  weekday: number;
  /** The current hour while the day runs; null for a closed day. */
  untilHour: number | null;
  isRunning: boolean;
  /** True if a cash drawer isn't counted, so that its cash is missing. */
  hasUncounted: boolean;
  stations: readonly Station[];
  currency: string;
  /** The day of these figures: its number if it is closed, otherwise when it was opened. */
  ofDay: { day: number } | { since: string };
  children?: ComponentChildren;
};

/** A day's figures and charts. Until all cash is counted, nothing here adds up all methods. */
export function FiguresView({ children, ...props }: FiguresViewProps) {
  const { figures, weekday, untilHour, isRunning, hasUncounted, stations, currency, ofDay } = props;
  const words = todayMessages();
  const startHour = Number(restaurantClock.value.dayStartsAt.slice(0, 2));
  const hours = hoursOf(figures, startHour);
  return (
    <>
      <FigureCards
        {...props}
        ordered={orderedOf(figures)}
        change={figures.before && comparison(hours, { untilHour, startHour })}
      />
      <div class="stack gap-3 figures">
        <Panel title={words.hours.title} class="panel-wide">
          <HoursChart
            hours={hours}
            weekdayBefore={figures.before ? weekday : null}
            isRunning={isRunning}
            currency={currency}
          />
        </Panel>
        <Panel title={words.payments.title}>
          <Payments payments={figures.payments} hasUncounted={hasUncounted} currency={currency} />
        </Panel>
        {children}
        <Panel title={words.dishes.title}>
          <Dishes dishes={figures.dishes} currency={currency} />
        </Panel>
        <Panel title={words.stations.title}>
          <StationsChart rows={figures.stations} stations={stations} />
        </Panel>
        <Panel title={words.tips.title}>
          {hasUncounted && <p class="dim">{words.tips.uncounted}</p>}
          <People
            title={words.tips.title}
            people={tipsByPerson(figures)}
            amounts={words.tips.amount}
            guests={words.tips.guests}
            none={words.tips.none}
            currency={currency}
          />
        </Panel>
        <Panel title={words.takenOff.title}>
          <People
            title={words.takenOff.title}
            people={takenOffByPerson(figures)}
            amounts={words.takenOff.amount}
            guests={todayMessages().guests}
            none={words.takenOff.none}
            currency={currency}
          />
          {figures.exceptions.length > 0 && (
            <a class="button button-quiet button-small" href={`#/manager/audit/exceptions/${exceptionQueryOf(ofDay)}`}>
              {words.takenOff.all}
            </a>
          )}
        </Panel>
      </div>
    </>
  );
}

type PaymentsProps = { payments: Figures['payments']; hasUncounted: boolean; currency: string };

function Payments({ payments, hasUncounted, currency }: PaymentsProps) {
  const words = todayMessages().payments;
  const { methods } = billMessages();
  const shares = sharesOf(payments.map(({ amount }) => amount));
  const bars = payments.map(({ method, confirmed_by: confirmedBy, count, amount, tips }, index): Bar => {
    const more = [
      words.count(count),
      tips !== '0.00' && words.tips(formatMoney(tips, currency)),
      confirmedBy && billMessages().confirmedBy[confirmedBy],
    ];
    return {
      key: `${method} ${confirmedBy}`,
      name: methods[method] ?? method,
      more: more.filter(Boolean).join(', '),
      value: formatMoney(amount, currency),
      share: shares[index] ?? 0,
    };
  });
  return (
    <>
      {bars.length === 0 && !hasUncounted && <p class="dim">{words.none}</p>}
      {bars.length > 0 && <BarTable title={words.title} names={words.method} values={words.amount} bars={bars} />}
      {hasUncounted ? (
        <p class="dim figures-note">
          {words.uncounted} <a href="#/manager/cash">{words.countCash}</a>
        </p>
      ) : (
        bars.length > 1 && (
          <p class="wrap figures-total">
            {billMessages().total} <b>{formatMoney(sumOf(payments.map(({ amount }) => amount)), currency)}</b>
          </p>
        )
      )}
    </>
  );
}

function Dishes({ dishes, currency }: { dishes: Figures['dishes']; currency: string }) {
  const words = todayMessages().dishes;
  const [isAll, setIsAll] = useState(false);
  if (dishes.length === 0) return <p class="dim">{words.none}</p>;
  const shown = isAll ? dishes : dishes.slice(0, dishesAtFirst);
  const shares = sharesOf(dishes.map(({ quantity }) => quantity));
  const bars = shown.map(({ item_id: id, name, quantity, amount }, index): Bar => ({
    key: String(id),
    name,
    value: (
      <>
        {quantity} <span class="bar-table-beside">{formatMoney(amount, currency)}</span>
      </>
    ),
    share: shares[index] ?? 0,
  }));
  return (
    <>
      <BarTable title={words.title} names={words.dish} values={words.amount} bars={bars} />
      {dishes.length > shown.length && (
        <Button kind="quiet" size="small" onClick={() => setIsAll(true)}>
          {words.all}
        </Button>
      )}
    </>
  );
}

type PeopleProps = {
  title: string;
  people: readonly OfPerson[];
  amounts: string;
  /** The name of the row for customers. */
  guests: string;
  none: string;
  currency: string;
};

function People({ title, people, amounts, guests, none, currency }: PeopleProps) {
  const { tips, takenOff } = todayMessages();
  if (people.length === 0) return <p class="dim">{none}</p>;
  const shares = sharesOf(people.map(({ amount }) => amount));
  const bars = people.map(({ by, amount, kinds }, index): Bar => ({
    key: String(by?.id),
    name: by?.name ?? guests,
    ...(kinds.length > 0 && {
      more: kinds.map(({ kind, count }) => takenOff.kind(count, takenOff.kinds[kind] ?? kind)).join(', '),
    }),
    value: formatMoney(amount, currency),
    share: shares[index] ?? 0,
  }));
  return <BarTable title={title} names={tips.person} values={amounts} bars={bars} />;
}
