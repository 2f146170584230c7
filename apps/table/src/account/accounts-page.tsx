import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { messages } from '../messages.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { EmptyPlateDrawing } from '@comanda/ui/drawings.tsx';
import { backToMenu, navigate } from '../state/route.ts';
import { table } from '../state/seat.ts';
import { AccountHead } from './account-head.tsx';
import {
  account,
  accounts,
  areAmountsHidden,
  chooseAccount,
  feedLostAt,
  openAccount,
  readAccounts,
  readAt,
  readFailure,
  shownMoney,
  toggleAmounts,
} from './accounts.ts';
import type { Account } from './accounts.ts';
import { accountFailureWords } from './failures.ts';
import { lock } from './lock.ts';
import { accountMessages } from './messages.ts';
import { Statement } from './statement.tsx';
import { TransferNotices } from './transfer-notices.tsx';

function OpenAccountDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const words = accountMessages();
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  async function open(): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await openAccount(name.trim());
      setName('');
      onClose();
    } catch (error) {
      setFailure(accountFailureWords(error));
      // Should it have been opened all the same, it is in the list.
      void readAccounts();
    }
    setIsBusy(false);
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isBusy) void open();
  };
  return (
    <Dialog title={words.openTitle} isOpen={isOpen} onClose={onClose}>
      <form class="form" aria-label={words.openTitle} onSubmit={submit}>
        {failure !== null && <ErrorPanel words={failure} />}
        <Field label={words.accountName} hint={words.accountNameHint} maxLength={100} value={name} onInput={setName} />
        <Button type="submit" kind="primary" aria-disabled={isBusy}>
          {words.open}
        </Button>
      </form>
    </Dialog>
  );
}

function Balance({ of: { id, name, balance, currency } }: { of: Account }) {
  const words = accountMessages();
  const isHidden = areAmountsHidden.value;
  return (
    <section class="balance">
      <div class="balance-text">
        <h1 class="balance-title" tabIndex={-1}>
          {words.account(id)}
          {name !== null && <span class="balance-name"> · {name}</span>}
        </h1>
        <p class="balance-label" aria-hidden="true">
          {words.balance}
        </p>
        <p class="balance-amount money" role="status" aria-label={words.balance}>
          {shownMoney(balance, currency)}
        </p>
      </div>
      <IconButton
        label={isHidden ? words.showAmounts : words.hideAmounts}
        aria-pressed={isHidden}
        onClick={toggleAmounts}
      >
        <Icon name={isHidden ? 'eyeOff' : 'eye'} />
      </IconButton>
    </section>
  );
}

function Freshness() {
  const words = accountMessages();
  const failure = readFailure.value;
  if (accounts.value === null && failure)
    return (
      <ErrorPanel words={accountFailureWords(failure)}>
        <Button onClick={() => void readAccounts()}>{words.readAgain}</Button>
      </ErrorPanel>
    );
  if (feedLostAt.value === null && !failure) return null;
  return (
    <p class="account-stale" role="status">
      <Icon name="noNetwork" size={20} />
      <span>{words.asOf(formatTime(readAt.value))}</span>
    </p>
  );
}

/** Accounts, the balance and the statement of one. */
export function AccountsPage() {
  const words = accountMessages();
  const [isOpening, setIsOpening] = useState(false);
  const all = accounts.value;
  const chosen = account.value;
  return (
    <div class="page">
      <AccountHead back={table.value === null ? messages().menu : messages().table(table.value)} onBack={backToMenu}>
        <Button kind="quiet" size="small" icon={<Icon name="lock" />} class="account-lock" onClick={lock}>
          {words.lock}
        </Button>
      </AccountHead>
      <main class="page-main account-main">
        {!chosen && (
          <h1 class="spoken" tabIndex={-1}>
            {words.yourAccounts}
          </h1>
        )}
        <TransferNotices />
        <Freshness />
        {all !== null && all.length > 1 && (
          <nav class="account-chips" aria-label={words.yourAccounts}>
            {all.map(({ id, name }) => (
              <Chip key={id} current={id === chosen?.id} onClick={() => chooseAccount(id)}>
                {name === null ? words.account(id) : `${id} · ${name}`}
              </Chip>
            ))}
          </nav>
        )}
        {chosen && (
          <>
            <Balance of={chosen} />
            <div class="account-links">
              <Button
                size="small"
                icon={<Icon name="shield" size={20} />}
                onClick={() => navigate({ page: 'account', part: 'security' })}
              >
                {words.security}
              </Button>
              <Button size="small" icon={<Icon name="plus" size={20} />} onClick={() => setIsOpening(true)}>
                {words.openTitle}
              </Button>
            </div>
            <h2 class="account-h2">{words.statement}</h2>
            <Statement account={chosen} />
          </>
        )}
        {all?.length === 0 && (
          <EmptyState drawing={<EmptyPlateDrawing />} title={words.noAccountTitle} hint={words.noAccountHint}>
            <Button kind="primary" size="large" onClick={() => setIsOpening(true)}>
              {words.openFirst}
            </Button>
            <Button kind="quiet" onClick={() => navigate({ page: 'account', part: 'security' })}>
              {words.security}
            </Button>
          </EmptyState>
        )}
        {all === null && !readFailure.value && <p class="account-quiet">{words.reading}</p>}
        <OpenAccountDialog isOpen={isOpening} onClose={() => setIsOpening(false)} />
      </main>
      {chosen && (
        <footer class="dock">
          <Button
            kind="primary"
            size="large"
            icon={<Icon name="arrowOut" />}
            onClick={() => navigate({ page: 'account', part: 'transfer' })}
          >
            {words.transfer}
          </Button>
        </footer>
      )}
    </div>
  );
}
