import type { Client } from '@comanda/client/core';
import type { Exception, ExceptionKind } from '@comanda/contracts/exceptions';
import { formatDay, formatMoney, formatTime, formatUntil } from '@comanda/ui/format.ts';
import { useState } from 'preact/hooks';
import { AuditTabs } from '../audit/audit-tabs.tsx';
import { ChipChoice } from '../chip-choice.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { PagedList } from '../paged-list.tsx';
import { currencyOf } from '../dishes/use-dish-form.ts';
import { usePages } from '../use-pages.ts';
import { useUsers } from '../people/use-users.ts';
import './bills-page.css';
import { exceptionFilterOf, type ExceptionFilter } from './exception-filter.ts';
import { SelectField } from './select-field.tsx';

const pageSize = 50;
/** The kinds that occur. The contract's list also has some that don't occur yet, and it would add a validation library. */
const kinds = [
  'item_cancelled',
  'discount',
  'refunded',
  'reopened',
  'service_charge_declined',
  'order_moved',
] as const satisfies readonly ExceptionKind[];
type Filter = { kind: (typeof kinds)[number] | 'any'; by: string };

/** `query`: the filter in the page's address. */
type ExceptionsPageProps = { client: Client; session: ManagerSession; query: string };

/** Lists what was removed from bills, discounted and refunded, and which bills were reopened: who, what, how much, why. */
export function ExceptionsPage({ client, session, query }: ExceptionsPageProps) {
  const words = managerMessages().exceptions;
  const days = exceptionFilterOf(query);
  const users = useUsers(client);
  const [filter, setFilter] = useState<Filter>({ kind: 'any', by: '' });
  const staff = users.filter(({ role }) => role !== 'customer');
  return (
    <>
      <div class="manager-head">
        <h1>{managerMessages().audit.tabs.exceptions}</h1>
        <p>{words.hint}</p>
      </div>
      <AuditTabs current="exceptions" />
      {(days.day !== null || days.since !== null) && (
        <p class="manager-pair">
          <strong>
            {days.day === null ? words.since(formatUntil(days.since ?? '', client.now())) : words.ofDay(days.day)}
          </strong>
          <a href="#/manager/audit/exceptions">{words.ofAllDays}</a>
        </p>
      )}
      <div class="bill-filter exception-filter">
        <ChipChoice
          legend={words.kind}
          choices={['any', ...kinds] as const}
          chosen={filter.kind}
          nameOf={(kind) => words.kinds[kind]}
          onChoose={(kind) => setFilter({ ...filter, kind })}
        />
        <SelectField
          label={managerMessages().audit.who}
          any={managerMessages().bills.anyPerson}
          options={staff.map(({ id, name }) => ({ value: String(id), text: name }))}
          value={filter.by}
          onInput={(by) => setFilter({ ...filter, by })}
        />
      </div>
      {/* A filter is another list. */}
      <Exceptions
        key={`${filter.kind} ${filter.by} ${query}`}
        client={client}
        filter={filter}
        days={days}
        currency={currencyOf(session.menu.dishes.value ?? [])}
      />
    </>
  );
}

/** Yields full pages of the exceptions of a closed day for which `isWanted` is true, because its report has no filter. */
async function* ofClosedDay(client: Client, day: number, isWanted: (each: Exception) => boolean) {
  const found: Exception[] = [];
  for await (const page of client.pages('getReport', { report: 'exceptions', from: day, to: day, limit: pageSize })) {
    found.push(...(page as readonly Exception[]).filter(isWanted));
    while (found.length >= pageSize) yield found.splice(0, pageSize);
  }
  yield found;
}

type ExceptionsProps = { client: Client; filter: Filter; days: ExceptionFilter; currency: string };

function Exceptions({ client, filter: { kind, by }, days: { day, since }, currency }: ExceptionsProps) {
  const words = managerMessages().exceptions;
  const list = usePages<Exception>(
    () =>
      day === null
        ? client.pages('listExceptions', {
            ...(kind !== 'any' && { kind }),
            ...(by !== '' && { by: Number(by) }),
            ...(since !== null && { since }),
            limit: pageSize,
          })
        : ofClosedDay(
            client,
            day,
            (each) => (kind === 'any' || each.kind === kind) && (by === '' || each.by?.id === Number(by)),
          ),
    pageSize,
  );
  return (
    <PagedList list={list} empty={kind === 'any' && by === '' ? words.empty : words.none}>
      {(items) => (
        <table class="manager-table manager-rows bill-list" aria-label={managerMessages().audit.tabs.exceptions}>
          <thead>
            <tr>
              <th scope="col">{managerMessages().audit.what}</th>
              <th scope="col">{managerMessages().audit.who}</th>
              <th scope="col">{words.why}</th>
              <th scope="col">{words.amount}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((each) => (
              <ExceptionRow key={each.id} of={each} currency={currency} />
            ))}
          </tbody>
        </table>
      )}
    </PagedList>
  );
}

function ExceptionRow({ of: { at, kind, bill_id: billId, name, amount, by, reason }, currency }: RowProps) {
  const words = managerMessages().exceptions;
  return (
    <tr>
      <th scope="row">
        {words.kindNames[kind] ?? kind}
        {name !== null && (
          <>
            {' · '}
            <bdi>{name}</bdi>
          </>
        )}
        <br />
        {billId !== null && <a href={`#/waiter/bill/${billId}`}>{words.bill(billId)}</a>}
      </th>
      <td>
        <bdi>{by?.name ?? words.guest}</bdi>
        <br />
        <span class="dim">
          {formatDay(at)}, {formatTime(at)}
        </span>
      </td>
      <td>{reason === null ? <span class="dim">{words.noReason}</span> : <bdi>{reason}</bdi>}</td>
      <td>{formatMoney(amount, currency)}</td>
    </tr>
  );
}
type RowProps = { of: Exception; currency: string };
