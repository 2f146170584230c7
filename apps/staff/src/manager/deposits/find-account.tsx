import { CallFailure, type Client } from '@comanda/client/core';
import type { User } from '@comanda/contracts/users';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { rankOf } from '@comanda/ui/plain-text.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { Form } from '@comanda/ui/form.tsx';
import type { Account } from './deposit.ts';
import { Failure } from '../failure.tsx';
import './find-account.css';
import { managerMessages } from '../messages.ts';
import { MoreButton } from '../more-button.tsx';
import { usePages } from '../use-pages.ts';

const isAccountNumber = (text: string): boolean => /^[1-9][0-9]{0,14}$/.test(text.trim());

/** Finds an account by its number or its owner. */
export function FindAccount({ client, onFound }: { client: Client; onFound: (account: Account) => void }) {
  const words = managerMessages().deposits;
  const users = usePages<User>(() => client.pages('listUsers', { limit: 100 }), 100);
  const [search, setSearch] = useState('');
  const [person, setPerson] = useState<User | null>(null);
  const [isUnknown, setIsUnknown] = useState(false);
  const { failure, run, isBusy } = useAction();
  const shown = search.trim() === '' ? [] : findPeople(users.items, search);
  const findByNumber = (): void =>
    void run(async () => {
      setIsUnknown(false);
      try {
        const found = await client.calls.getAccount({ id: Number(search) });
        if (found.owner_id === null) setIsUnknown(true);
        else onFound(found);
      } catch (error) {
        if (!(error instanceof CallFailure && error.is('not_found'))) throw error;
        setIsUnknown(true);
      }
    });
  const isNumber = isAccountNumber(search);
  const isName = search.trim() !== '' && !isNumber;
  if (person) return <AccountsOf client={client} person={person} onFound={onFound} onBack={() => setPerson(null)} />;
  return (
    <Form class="manager-form" label={words.whose} onSubmit={() => isNumber && findByNumber()}>
      <Field
        label={words.search}
        hint={words.searchHint}
        error={isUnknown ? words.unknownAccount : undefined}
        autocomplete="off"
        value={search}
        onInput={(text) => {
          setSearch(text);
          setIsUnknown(false);
        }}
      />
      {isNumber && (
        <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
          {words.account(Number(search))}
        </Button>
      )}
      <Failure of={failure ?? users.failure} onRetry={users.failure === null ? undefined : users.reload} />
      {shown.length > 0 && (
        <Choices of={shown} titleOf={({ name }) => name} detailOf={({ email }) => email ?? ''} onChoose={setPerson} />
      )}
      {isName && shown.length === 0 && !users.isBusy && <p>{words.nobody(users.items.length)}</p>}
      {isName && users.hasMore && <MoreButton list={users} text={words.readMore} />}
    </Form>
  );
}

/** Finds people with an account. Matching names come before matching e-mail addresses, because the selected person gets money. */
function findPeople(users: readonly User[], search: string): readonly User[] {
  const found = users.flatMap((user) => {
    const rank = user.email === null ? null : rankOf({ name: user.name, other: user.email }, search);
    return rank === null ? [] : [{ user, rank }];
  });
  return [...found].sort((a, b) => a.rank - b.rank || a.user.name.localeCompare(b.user.name)).map(({ user }) => user);
}

type AccountsOfProps = { client: Client; person: User; onFound: (account: Account) => void; onBack: () => void };

function AccountsOf({ client, person, onFound, onBack }: AccountsOfProps) {
  const words = managerMessages().deposits;
  const accounts = usePages<Account>(() => client.pages('listAccounts', { owner_id: person.id, limit: 50 }), 50);
  return (
    <section class="manager-form" aria-label={words.accountsOf(person.name)}>
      <h2 class="manager-subtitle">{words.accountsOf(person.name)}</h2>
      <Failure of={accounts.failure} onRetry={accounts.reload} />
      {accounts.isBusy && <p>{managerMessages().reading}</p>}
      {accounts.items.length === 0 && !accounts.isBusy && accounts.failure === null && (
        <p>{words.noAccount(person.name)}</p>
      )}
      {accounts.items.length > 0 && (
        <Choices
          of={accounts.items}
          titleOf={({ id }) => words.account(id)}
          detailOf={({ name, currency }) => [name, currency].filter(Boolean).join(' · ')}
          onChoose={onFound}
        />
      )}
      <Button size="small" onClick={onBack}>
        {words.back}
      </Button>
    </section>
  );
}

type ChoicesProps<T> = {
  of: readonly T[];
  titleOf: (each: T) => string;
  detailOf: (each: T) => string;
  onChoose: (each: T) => void;
};

const Choices = <T extends { id: number }>({ of: all, titleOf, detailOf, onChoose }: ChoicesProps<T>) => (
  <ul class="stack gap-2">
    {all.map((each) => (
      <li key={each.id}>
        <button type="button" class="deposit-choice" onClick={() => onChoose(each)}>
          <strong>{titleOf(each)}</strong>
          <span>{detailOf(each)}</span>
        </button>
      </li>
    ))}
  </ul>
);
