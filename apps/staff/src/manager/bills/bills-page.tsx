import type { Client } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { restaurantClock } from '@comanda/ui/restaurant-time.ts';
import { useEffect, useState } from 'preact/hooks';
import { goTo } from '../../address.ts';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { PagedList } from '../paged-list.tsx';
import { usePages } from '../use-pages.ts';
import { useUsers, type Users } from '../people/use-users.ts';
import {
  billQueryOf,
  filterOf,
  invalidFields,
  noFilter,
  queryOf,
  type BillFilter,
  type FilterField,
} from './bill-filter.ts';
import { BillRow } from './bill-row.tsx';
import './bills-page.css';
import { SelectField } from './select-field.tsx';

const pageSize = 50;
/** `query`: the filter in the page's address. */
type BillsPageProps = { client: Client; session: ManagerSession; query: string };

/** Finds any bill: by day, table, number, amount, method and person. */
export function BillsPage({ client, session, query }: BillsPageProps) {
  const words = managerMessages().bills;
  const users = useUsers(client);
  return (
    <>
      <div class="manager-head">
        <h1>{words.title}</h1>
        <p>{words.hint}</p>
      </div>
      <FilterForm query={query} users={users} />
      {/* Another filter is another list. */}
      <Bills key={query} client={client} session={session} filter={filterOf(query)} />
    </>
  );
}

const open = (filter: BillFilter): void => goTo(`#/manager/bills/${queryOf(filter)}`);

function FilterForm({ query, users }: { query: string; users: Users }) {
  const words = managerMessages().bills;
  const [draft, setDraft] = useState(filterOf(query));
  // The browser's back button leads to an earlier filter.
  useEffect(() => setDraft(filterOf(query)), [query]);
  const [wrong, setWrong] = useState<readonly FilterField[]>([]);
  const find = (): void => {
    const invalid = invalidFields(draft);
    setWrong(invalid);
    if (invalid.length === 0) open(draft);
  };
  const field = (name: FilterField) => ({
    label: words.fields[name],
    value: draft[name],
    error: wrong.includes(name) ? words.invalid[name] : undefined,
    autocomplete: 'off',
    onInput: (value: string): void => {
      setDraft({ ...draft, [name]: value });
      setWrong(wrong.filter((each) => each !== name));
    },
  });
  const staff = users.filter(({ id, role }) => role !== 'customer' || String(id) === draft.person);
  return (
    <Form class="manager-form bill-filter" label={words.find} onSubmit={find}>
      <Field type="date" {...field('date')} />
      <Field {...field('table')} />
      <Field inputMode="numeric" {...field('number')} />
      <Field inputMode="decimal" hint={words.amountHint} {...field('amount')} />
      <SelectField
        {...field('method')}
        any={words.anyMethod}
        options={Object.entries(billMessages().methods).map(([value, text]) => ({ value, text }))}
      />
      <SelectField
        {...field('person')}
        any={words.anyPerson}
        options={staff.map(({ id, name }) => ({ value: String(id), text: name }))}
      />
      <div class="manager-pair bill-filter-foot">
        {query !== '' && (
          <Button size="small" onClick={() => open(noFilter)}>
            {words.clear}
          </Button>
        )}
        <Button type="submit" kind="primary" size="small">
          {words.find}
        </Button>
      </div>
    </Form>
  );
}

type BillsProps = { client: Client; session: ManagerSession; filter: BillFilter };

function Bills({ client, session, filter }: BillsProps) {
  const words = managerMessages().bills;
  const bills = usePages<Bill>(
    () => client.pages('listBills', { ...billQueryOf(filter, restaurantClock.value), limit: pageSize }),
    pageSize,
  );
  return (
    <PagedList list={bills} empty={queryOf(filter) === '' ? words.empty : words.none}>
      {(items) => (
        <table class="manager-table manager-rows bill-list" aria-label={words.title}>
          <thead>
            <tr>
              <th scope="col">{words.bill}</th>
              <th scope="col">{words.opened}</th>
              <th scope="col">{words.paidBy}</th>
              <th scope="col">{billMessages().total}</th>
              <th scope="col">
                <span class="visually-hidden">{words.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((bill) => (
              <BillRow
                key={bill.id}
                bill={bill}
                client={client}
                session={session}
                onChanged={(changed) => bills.replace(changed, ({ id }) => id === changed.id)}
              />
            ))}
          </tbody>
        </table>
      )}
    </PagedList>
  );
}
