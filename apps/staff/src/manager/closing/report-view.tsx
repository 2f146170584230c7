import type { DayReport } from '@comanda/contracts/day';
import type { WaiterRow } from '@comanda/contracts/reports';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { formatDateWithYear, formatMoney, formatTime } from '@comanda/ui/format.ts';
import type { ComponentChildren } from 'preact';
import { nameIn } from '../../cash/drawer-name.ts';
import { exceptionQueryOf } from '../bills/exception-filter.ts';
import { differenceText, formatAbsolute } from '../cash/difference.ts';
import { formatDayName } from '../today/day-name.ts';
import { sumOf } from '../sum-of.ts';
import { todayMessages } from '../today/messages.ts';
import { closingMessages } from './messages.ts';
import { managerMessages } from '../messages.ts';
import './report-view.css';

export type ReportViewProps = {
  report: DayReport;
  /** Null until they are loaded. */
  waiters: readonly WaiterRow[] | null;
  /** True if they can't be loaded. */
  isWithoutWaiters: boolean;
  drawers: readonly { name: string; label: string }[];
  restaurant: string;
  currency: string;
};

const at = (time: string): string => `${formatDateWithYear(time)}, ${formatTime(time)}`;

/** A day's report, for the screen and for paper. */
export function ReportView({ report, waiters, isWithoutWaiters, drawers, restaurant, currency }: ReportViewProps) {
  const words = closingMessages().report;
  const money = (amount: string): string => formatMoney(amount, currency);
  const { sales, bills, exceptions, carried_over: carried } = report;
  return (
    <div class="card stack gap-5 report">
      <header class="report-head">
        <p>{restaurant}</p>
        <p class="report-title">
          {words.day(report.number)} · {formatDayName(report.business_date)}
        </p>
      </header>
      <Part title={words.title}>
        <Row name={words.opened}>{at(report.opened_at)}</Row>
        <Row name={words.closed}>{at(report.closed_at)}</Row>
        <Row name={managerMessages().audit.who}>
          <bdi>{report.closed_by.name}</bdi>
        </Row>
        {report.note !== null && (
          <Row name={closingMessages().note}>
            <bdi>{report.note}</bdi>
          </Row>
        )}
      </Part>
      <Part title={words.sales}>
        <Row name={words.items}>{money(sales.items_total)}</Row>
        {sales.discount_total !== '0.00' && <Row name={words.discounts}>{money(`-${sales.discount_total}`)}</Row>}
        <Row name={words.service}>{money(sales.service_charge)}</Row>
        {sales.rounding !== '0.00' && <Row name={billMessages().rounding}>{money(sales.rounding)}</Row>}
        <Row name={billMessages().total} isTotal>
          {money(sales.total)}
        </Row>
        <Row
          name={words.bills}
          more={
            bills.first_number !== null && bills.last_number !== null
              ? words.numbers(bills.first_number, bills.last_number)
              : undefined
          }
        >
          {bills.count}
        </Row>
      </Part>
      <TakingsPart title={billMessages().payments} rows={report.payments} none={words.noPayments} currency={currency} />
      {report.refunds.length > 0 && (
        <TakingsPart title={words.refunds} rows={report.refunds} none="" currency={currency} />
      )}
      <Balance report={report} currency={currency} />
      {report.cash_drawers.map((each) => (
        <DrawerPart
          key={each.name}
          drawer={each}
          title={words.drawer(nameIn(drawers, each.name))}
          paidBefore={isFirstCount(each) ? cashOutsideDrawers(report) : '0.00'}
          currency={currency}
        />
      ))}
      {waiters !== null && waiters.length > 0 && <Waiters rows={waiters} currency={currency} />}
      {isWithoutWaiters && (
        <Part title={words.waiters}>
          <Row name={words.withoutWaiters} />
        </Part>
      )}
      <Part title={closingMessages().exceptions.title}>
        {exceptions.length === 0 && <Row name={closingMessages().exceptions.none} />}
        {exceptions.map(({ kind, count, amount }) => (
          <Row key={kind} name={todayMessages().takenOff.kind(count, todayMessages().takenOff.kinds[kind] ?? kind)}>
            {money(amount)}
          </Row>
        ))}
        {exceptions.length > 0 && (
          <a
            class="report-link report-see"
            href={`#/manager/audit/exceptions/${exceptionQueryOf({ day: report.number })}`}
          >
            {words.seeExceptions}
          </a>
        )}
      </Part>
      {carried.count > 0 && (
        <Part title={words.carried}>
          {carried.bills.map((id) => (
            <a key={id} class="report-link" href={`#/waiter/bill/${id}`}>
              {managerMessages().exceptions.bill(id)}
            </a>
          ))}
        </Part>
      )}
      <Part title={words.seal}>
        <p class="report-seal">{report.hash}</p>
        <p class="dim">{words.sealHint}</p>
      </Part>
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="report-part" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

type RowProps = { name: ComponentChildren; more?: ComponentChildren; isTotal?: boolean; children?: ComponentChildren };
const Row = ({ name, more, isTotal = false, children }: RowProps) => (
  <div class={isTotal ? 'wrap report-row report-total' : 'wrap report-row'}>
    <span>{name}</span>
    <span>{children}</span>
    {more !== undefined && <small>{more}</small>}
  </div>
);

type TakingsPartProps = { title: string; rows: DayReport['payments']; none: string; currency: string };

function TakingsPart({ title, rows, none, currency }: TakingsPartProps) {
  const words = closingMessages().report;
  const tips = sumOf(rows.map((each) => each.tips));
  return (
    <Part title={title}>
      {rows.length === 0 && <Row name={none} />}
      {rows.map(({ method, confirmed_by: confirmedBy, count, amount, tips: own }) => (
        <Row
          key={`${method} ${confirmedBy}`}
          name={`${words.count(count)} ${methodName(method)}`}
          more={[
            confirmedBy && billMessages().confirmedBy[confirmedBy],
            own !== '0.00' && words.tipsOf(formatMoney(own, currency)),
          ]
            .filter(Boolean)
            .join(', ')}
        >
          {formatMoney(amount, currency)}
        </Row>
      ))}
      {rows.length > 0 && (
        <Row name={billMessages().total} isTotal>
          {formatMoney(sumOf(rows.map(({ amount }) => amount)), currency)}
        </Row>
      )}
      {tips !== '0.00' && <Row name={words.tips}>{formatMoney(tips, currency)}</Row>}
    </Part>
  );
}

/** A method's name. One that only a newer release knows is shown by its name in the API. */
const methodName = (method: string): string =>
  (billMessages().methods as Readonly<Record<string, string>>)[method] ?? method;

/** Shows why payments less refunds differ from the sales. Nothing if they don't. */
function Balance({ report, currency }: { report: DayReport; currency: string }) {
  const words = closingMessages().report;
  const { sales, payments, refunds, refunded_after_closing: refunded, unsettled } = report;
  const steps = [
    [words.afterClosing, `-${refunded}`],
    [words.unsettledAfter, unsettled.after],
    [words.unsettledBefore, `-${unsettled.before}`],
  ] as const;
  const shown = steps.filter(([, amount]) => amount.replace('-', '') !== '0.00');
  if (shown.length === 0) return null;
  const paid = sumOf([...payments.map(({ amount }) => amount), ...refunds.map(({ amount }) => `-${amount}`)]);
  return (
    <Part title={words.balance}>
      <Row name={words.sales}>{formatMoney(sales.total, currency)}</Row>
      {shown.map(([name, amount]) => (
        <Row key={name} name={name}>
          {formatMoney(amount, currency)}
        </Row>
      ))}
      <Row name={words.paid} isTotal>
        {formatMoney(paid, currency)}
      </Row>
    </Part>
  );
}

type Drawer = DayReport['cash_drawers'][number];

/** Returns true if the day has the main cash drawer's first count: before it, nobody knows what was in the drawer. */
const isFirstCount = ({ counts }: Drawer): boolean => counts[0]?.expected === null;

/** Returns what was paid in cash and is in no cash drawer's sums, because the main one was not counted yet. */
function cashOutsideDrawers({ payments, cash_drawers: drawers }: DayReport): string {
  const paid = payments.filter(({ method }) => method === 'cash').flatMap(({ amount, tips }) => [amount, tips]);
  return sumOf([...paid, ...drawers.map(({ sums }) => `-${sums.payment ?? '0.00'}`)]);
}

type DrawerPartProps = {
  title: string;
  drawer: Drawer;
  /** What guests had paid into it before its first count; 0.00 if it was counted before. */
  paidBefore: string;
  currency: string;
};

function DrawerPart({ title, drawer, paidBefore, currency }: DrawerPartProps) {
  const words = closingMessages().report;
  const { opening, sums, left, counts } = drawer;
  // With payments before the first count, nobody knows what was in it at the start.
  const isLate = paidBefore !== '0.00';
  const kinds = Object.entries(sums) as [keyof typeof sums, string][];
  return (
    <Part title={title}>
      <Row name={isLate ? words.firstCount : words.opening}>{formatMoney(opening, currency)}</Row>
      {isLate && <Row name={words.paidBefore}>{formatMoney(paidBefore, currency)}</Row>}
      {kinds.map(([kind, amount]) => (
        <Row key={kind} name={words.kinds[kind] ?? kind}>
          {formatMoney(amount, currency)}
        </Row>
      ))}
      <Row name={words.left} isTotal>
        {formatMoney(left, currency)}
      </Row>
      {counts.map(({ id, at: time, by, expected, counted, difference }) => (
        <Row
          key={id}
          name={words.counted(formatTime(time), by.name)}
          more={
            expected === null
              ? words.opens
              : [words.expected(formatMoney(expected, currency)), differenceText(difference, currency)].join(
                  difference === '0.00' ? '. ' : ', ',
                )
          }
        >
          {formatMoney(counted, currency)}
        </Row>
      ))}
    </Part>
  );
}

function Waiters({ rows, currency }: { rows: readonly WaiterRow[]; currency: string }) {
  const words = closingMessages().report;
  const people = new Map<number, WaiterRow[]>();
  for (const row of rows) people.set(row.by?.id ?? 0, [...(people.get(row.by?.id ?? 0) ?? []), row]);
  return (
    <Part title={words.waiters}>
      {[...people].map(([id, own]) => (
        <div key={id} class="report-person">
          <h3>
            <bdi>{own[0]?.by?.name ?? words.ofGuests}</bdi>
          </h3>
          {own.map(({ method, confirmed_by: confirmedBy, count, amount, tips, refunds }) => (
            <Row
              key={`${method} ${confirmedBy}`}
              name={
                method === null
                  ? words.ownService(count)
                  : // Who has only refunded has taken no payment.
                    [count > 0 && words.count(count), methodName(method)].filter(Boolean).join(' ')
              }
              more={[
                tips !== '0.00' && words.tipsOf(formatMoney(tips, currency)),
                refunds !== '0.00' && words.refunded(formatAbsolute(refunds, currency)),
              ]
                .filter(Boolean)
                .join(', ')}
            >
              {formatMoney(amount, currency)}
            </Row>
          ))}
        </div>
      ))}
    </Part>
  );
}
