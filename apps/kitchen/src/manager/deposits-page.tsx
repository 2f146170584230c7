import { CallFailure } from '@comanda/client';
import type { Answer, Client, Input, PendingCall } from '@comanda/client';
import type { User } from '@comanda/contracts/users';
import type { TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { copyText } from '@comanda/ui/copy-text.ts';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatDateWithYear, formatMoney, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { readAmount } from '@comanda/ui/read-amount.ts';
import { matches } from '@comanda/ui/plain-text.ts';
import { useAction } from '../parts/use-action.ts';
import { usePages } from '../parts/use-pages.ts';
import { withConsent } from './consent.ts';
import './deposits-page.css';
import { managerFailureWords, managerMessages } from './messages.ts';

type Account = Answer<'getAccount'>;
type Transfer = Answer<'deposit'>;
type PendingDeposit = PendingCall & { call: 'deposit'; input: Input<'deposit'> };
type Posted = { account: Account; transfer: Transfer };

const pendingDeposits = (client: Client): readonly PendingDeposit[] =>
  client.pendingCalls().filter((each): each is PendingDeposit => each.call === 'deposit');

/** Puts cash into an account: whose, how much, the PIN, the receipt. */
export function DepositsPage({ client }: { client: Client }) {
  const words = managerMessages().deposits;
  const [account, setAccount] = useState<Account | null>(null);
  const [posted, setPosted] = useState<Posted | null>(null);
  const [pending, setPending] = useState(() => pendingDeposits(client));
  const [first] = pending;
  const onPosted = (done: Posted): void => {
    setPosted(done);
    setAccount(null);
    setPending(pendingDeposits(client));
  };
  const onUndecided = (): void => setPending(pendingDeposits(client));
  return (
    <div class="manager-narrow">
      <div class="manager-head">
        <h1>{words.title}</h1>
        <p>{words.hint}</p>
      </div>
      {posted ? (
        <Receipt {...posted} onDone={() => setPosted(null)} />
      ) : first ? (
        <Unanswered key={first.key} client={client} deposit={first} onPosted={onPosted} onRead={onUndecided} />
      ) : account ? (
        <DepositForm
          key={account.id}
          client={client}
          account={account}
          onBack={() => setAccount(null)}
          onPosted={onPosted}
          onUndecided={onUndecided}
        />
      ) : (
        <FindAccount client={client} onFound={setAccount} />
      )}
    </div>
  );
}

const isAccountNumber = (text: string): boolean => /^[1-9][0-9]{0,14}$/.test(text.trim());

/** The account by its number, or by the person. */
function FindAccount({ client, onFound }: { client: Client; onFound: (account: Account) => void }) {
  const words = managerMessages().deposits;
  const users = usePages<User>(() => client.pages('listUsers', { limit: 100 }));
  const [search, setSearch] = useState('');
  const [person, setPerson] = useState<User | null>(null);
  const [isUnknown, setIsUnknown] = useState(false);
  const { failure, run, isBusy } = useAction();
  const shown = users.items.filter(
    ({ name, email }) => email !== null && search.trim() !== '' && matches(`${name} ${email}`, search),
  );
  const findByNumber = (): void =>
    void run(async () => {
      setIsUnknown(false);
      try {
        const found = await client.calls.getAccount({ id: Number(search) });
        if (found.owner_id === null) setIsUnknown(true);
        else onFound(found);
      } catch (error) {
        if (!(error instanceof CallFailure) || error.code !== 'not_found') throw error;
        setIsUnknown(true);
      }
    });
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isAccountNumber(search)) findByNumber();
  };
  if (person) return <AccountsOf client={client} person={person} onFound={onFound} onBack={() => setPerson(null)} />;
  return (
    <form class="manager-form" aria-label={words.whose} onSubmit={submit}>
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
      {isAccountNumber(search) && (
        <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
          {words.account(Number(search))}
        </Button>
      )}
      {(failure ?? users.failure) !== null && (
        <ErrorPanel words={managerFailureWords(failure ?? users.failure)}>
          {users.failure !== null && (
            <Button size="small" onClick={users.reload}>
              {managerMessages().tryAgain}
            </Button>
          )}
        </ErrorPanel>
      )}
      {shown.length > 0 && (
        <ul class="deposit-choices">
          {shown.map((user) => (
            <li key={user.id}>
              <button type="button" class="deposit-choice" onClick={() => setPerson(user)}>
                <strong>{user.name}</strong>
                <span>{user.email}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {search.trim() !== '' && !isAccountNumber(search) && shown.length === 0 && !users.isBusy && (
        <p>{words.nobody(users.items.length)}</p>
      )}
      {search.trim() !== '' && !isAccountNumber(search) && users.hasMore && (
        <Button size="small" aria-disabled={users.isBusy} onClick={users.more}>
          {users.isBusy ? managerMessages().reading : words.readMore}
        </Button>
      )}
    </form>
  );
}

type AccountsOfProps = { client: Client; person: User; onFound: (account: Account) => void; onBack: () => void };

function AccountsOf({ client, person, onFound, onBack }: AccountsOfProps) {
  const words = managerMessages().deposits;
  const accounts = usePages<Account>(() => client.pages('listAccounts', { owner_id: person.id, limit: 50 }));
  return (
    <section class="manager-form" aria-label={words.accountsOf(person.name)}>
      <h2 class="manager-subtitle">{words.accountsOf(person.name)}</h2>
      {accounts.failure !== null && (
        <ErrorPanel words={managerFailureWords(accounts.failure)}>
          <Button size="small" onClick={accounts.reload}>
            {managerMessages().tryAgain}
          </Button>
        </ErrorPanel>
      )}
      {accounts.isBusy && <p>{managerMessages().reading}</p>}
      {accounts.items.length === 0 && !accounts.isBusy && accounts.failure === null && (
        <p>{words.noAccount(person.name)}</p>
      )}
      {accounts.items.length > 0 && (
        <ul class="deposit-choices">
          {accounts.items.map((account) => (
            <li key={account.id}>
              <button type="button" class="deposit-choice" onClick={() => onFound(account)}>
                <strong>{words.account(account.id)}</strong>
                <span>{[account.name, account.currency].filter(Boolean).join(' · ')}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Button size="small" onClick={onBack}>
        {words.back}
      </Button>
    </section>
  );
}

type DepositFormProps = {
  client: Client;
  account: Account;
  onBack: () => void;
  onPosted: (posted: Posted) => void;
  /** There was no answer: the money may have moved. */
  onUndecided: () => void;
};

function DepositForm({ client, account, onBack, onPosted, onUndecided }: DepositFormProps) {
  const words = managerMessages().deposits;
  const { failure, run, isBusy } = useAction();
  const [amount, setAmount] = useState('');
  const [isInvalid, setIsInvalid] = useState(false);
  // One key for one deposit that the manager means: pressing again after a failure cannot make a second one.
  const meantRef = useRef({ amount: '', key: '' });
  const deposit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const read = readAmount(amount);
    setIsInvalid(read === null);
    if (read === null) return;
    if (meantRef.current.amount !== read) meantRef.current = { amount: read, key: client.newKey() };
    const { key: idempotencyKey } = meantRef.current;
    void run(async () => {
      try {
        const transfer = await withConsent(purposeOf(account, read), () =>
          client.calls.deposit({ id: account.id, amount: read }, { idempotencyKey }),
        );
        onPosted({ account, transfer });
      } catch (error) {
        onUndecided();
        throw error;
      }
    });
  };
  return (
    <form class="manager-form" aria-label={words.account(account.id)} noValidate onSubmit={deposit}>
      <Whose account={account} />
      <Field
        label={words.amount(account.currency)}
        hint={words.amountHint}
        error={isInvalid ? words.amountWrong : undefined}
        inputMode="decimal"
        autocomplete="off"
        required
        value={amount}
        onInput={(text) => {
          setAmount(text);
          setIsInvalid(false);
        }}
      />
      {failure !== null && <ErrorPanel words={managerFailureWords(failure)} />}
      <div class="manager-pair">
        <Button size="small" aria-disabled={isBusy} onClick={() => !isBusy && onBack()}>
          {words.otherAccount}
        </Button>
        <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
          {words.review}
        </Button>
      </div>
    </form>
  );
}

const purposeOf = ({ id, owner_name: owner, currency }: Account, amount: string) =>
  ({ kind: 'deposit', account: id, owner: owner ?? '', amount, currency }) as const;

function Whose({ account: { id, owner_name: owner, name } }: { account: Account }) {
  const words = managerMessages().deposits;
  return (
    <div class="deposit-whose">
      <p class="manager-subtitle">{owner}</p>
      <p class="manager-dim">{[words.account(id), name].filter(Boolean).join(' · ')}</p>
    </div>
  );
}

type UnansweredProps = {
  client: Client;
  deposit: PendingDeposit;
  onPosted: (posted: Posted) => void;
  /** The server has decided otherwise, or has not answered again. */
  onRead: () => void;
};

/** There was no answer. It must be taken neither for a success nor for a failure: the same call is made again, with its key. */
function Unanswered({ client, deposit, onPosted, onRead }: UnansweredProps) {
  const words = managerMessages().deposits;
  const { input } = deposit;
  const { failure, run, isBusy } = useAction();
  const [account, setAccount] = useState<Account | null>(null);
  const ask = (): void =>
    void run(async () => {
      const found = account ?? (await client.calls.getAccount({ id: input.id }));
      setAccount(found);
      try {
        const { body } = await withConsent(purposeOf(found, input.amount), () => client.askAgain(deposit));
        onPosted({ account: found, transfer: body as Transfer });
      } finally {
        onRead();
      }
    });
  return (
    <section class="manager-ask" aria-label={words.noAnswer}>
      <div role="alert">
        <h2 class="manager-subtitle">{words.noAnswer}</h2>
        <p>{words.noAnswerTerms(account ? formatMoney(input.amount, account.currency) : input.amount, input.id)}</p>
      </div>
      <p>{words.noAnswerHint}</p>
      {failure !== null && <ErrorPanel words={managerFailureWords(failure)} />}
      <Button kind="primary" size="small" aria-disabled={isBusy} onClick={ask}>
        {isBusy ? managerMessages().reading : words.askAgain}
      </Button>
    </section>
  );
}

function Receipt({ account, transfer, onDone }: Posted & { onDone: () => void }) {
  const words = managerMessages().deposits;
  const [isCopied, setIsCopied] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const signedText = useRef<HTMLElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { id, amount, currency, created_at: at, receipt } = transfer;
  const copy = async (): Promise<void> => setIsCopied(await copyText(receipt, signedText.current));
  return (
    <section class="manager-form deposit-receipt" aria-label={words.posted}>
      <span class="deposit-check">
        <Icon name="check" size={40} />
      </span>
      <h2 ref={heading} tabIndex={-1}>
        {words.posted}
      </h2>
      <p class="deposit-amount money">{formatMoney(amount, currency)}</p>
      <p>
        {words.into} <strong>{words.accountOf(account.id)}</strong>, {account.owner_name}
      </p>
      <p class="manager-dim">
        {formatDateWithYear(at)}, {formatTimeWithSeconds(at)} · {words.number(id)}
      </p>
      <details class="deposit-signed">
        <summary>{words.signed}</summary>
        <code ref={signedText}>{receipt}</code>
        <Button size="small" icon={<Icon name="copy" size={20} />} onClick={() => void copy()}>
          <span aria-live="polite">{isCopied ? words.copied : words.copy}</span>
        </Button>
      </details>
      <Button kind="primary" size="small" onClick={onDone}>
        {words.next}
      </Button>
    </section>
  );
}
