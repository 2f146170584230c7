import { useState } from 'preact/hooks';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { messages } from '../messages.ts';
import { EmptyState } from '../empty-state.tsx';
import { EmptyPlateDrawing } from '@comanda/ui/empty-plate-drawing.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { useAccount } from './account-context.ts';
import { AccountHead } from './account-head.tsx';
import type { Account } from './accounts.ts';
import { accountFailureWords } from './failures.ts';
import { accountMessages } from './messages.ts';
import { Statement } from './statement.tsx';
import { TransferNotices } from './transfer-notices.tsx';

function OpenAccountDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const words = accountMessages();
  const { accounts } = useAccount();
  const [name, setName] = useState('');
  const { failure, isBusy, run } = useAction();
  async function open(): Promise<void> {
    await accounts.open(name.trim());
    setName('');
    onClose();
  }
  return (
    <Dialog title={words.openTitle} isOpen={isOpen} onClose={onClose}>
      <Form label={words.openTitle} onSubmit={() => void run(open)}>
        {failure !== null && <ErrorPanel words={accountFailureWords(failure)} />}
        <Field label={words.accountName} hint={words.accountNameHint} maxLength={100} value={name} onInput={setName} />
        <Button type="submit" kind="primary" aria-disabled={isBusy}>
          {words.open}
        </Button>
      </Form>
    </Dialog>
  );
}

function Balance({ of: { id, name, balance, currency } }: { of: Account }) {
  const words = accountMessages();
  const { areAmountsHidden, shownMoney, toggleAmounts } = useAccount().accounts;
  const isHidden = areAmountsHidden.value;
  return (
    <section class="wrap gap-3 balance">
      <div class="balance-text">
        <h1 class="balance-title" tabIndex={-1}>
          {words.account(id)}
          {name !== null && <span class="balance-name"> · {name}</span>}
        </h1>
        <p class="balance-label" aria-hidden="true">
          {words.balance}
        </p>
        <p class="balance-amount money" translate={false} role="status" aria-label={words.balance}>
          {shownMoney(balance, currency)}
        </p>
      </div>
      <IconButton
        label={isHidden ? words.showAmounts : words.hideAmounts}
        aria-pressed={isHidden}
        onClick={toggleAmounts}
      >
        <LateIcon name={isHidden ? 'eyeOff' : 'eye'} />
      </IconButton>
    </section>
  );
}

function Freshness() {
  const words = accountMessages();
  const { accounts, isFeedLost } = useAccount();
  const failure = accounts.failure.value;
  if (accounts.all.value === null && failure)
    return (
      <ErrorPanel words={accountFailureWords(failure)}>
        <Button onClick={() => void accounts.read()}>{words.readAgain}</Button>
      </ErrorPanel>
    );
  if (!isFeedLost.value && !failure) return null;
  return (
    <p class="edge on-amber-soft account-stale" role="status">
      <Icon name="noNetwork" size={20} />
      <span>{words.asOf(formatTime(accounts.readAt.value))}</span>
    </p>
  );
}

type OpenProps = { /** Called when the user wants to open a new account. */ onOpen: () => void };

function ChosenAccount({ account, onOpen }: OpenProps & { account: Account }) {
  const words = accountMessages();
  const { navigate } = useRouter();
  return (
    <>
      <Balance of={account} />
      <div class="account-links">
        <Button
          size="small"
          icon={<Icon name="shield" size={20} />}
          onClick={() => navigate({ page: 'account', part: 'security' })}
        >
          {words.security}
        </Button>
        <Button size="small" icon={<Icon name="plus" size={20} />} onClick={onOpen}>
          {words.openTitle}
        </Button>
      </div>
      <h2 class="account-h2">{words.statement}</h2>
      <Statement account={account} />
    </>
  );
}

function NoAccount({ onOpen }: OpenProps) {
  const words = accountMessages();
  const { navigate } = useRouter();
  return (
    <EmptyState drawing={<EmptyPlateDrawing />} title={words.noAccountTitle} hint={words.noAccountHint}>
      <Button kind="primary" size="large" onClick={onOpen}>
        {words.openFirst}
      </Button>
      <Button kind="quiet" onClick={() => navigate({ page: 'account', part: 'security' })}>
        {words.security}
      </Button>
    </EmptyState>
  );
}

/** Shows all accounts, so the user can select one. */
function AccountChips({ all, chosen }: { all: readonly Account[]; chosen: Account | null }) {
  const words = accountMessages();
  const { choose } = useAccount().accounts;
  return (
    <nav class="account-chips" aria-label={words.yourAccounts}>
      {all.map(({ id, name }) => (
        <Chip key={id} current={id === chosen?.id} onClick={() => choose(id)}>
          {name === null ? words.account(id) : `${id} · ${name}`}
        </Chip>
      ))}
    </nav>
  );
}

function AccountsHead() {
  const words = accountMessages();
  const table = useGuest().seat.table.value;
  const { lock } = useAccount().lock;
  return (
    <AccountHead back={table === null ? messages().menu : messages().table(table)} onBack={useRouter().backToMenu}>
      <Button kind="quiet" size="small" icon={<LateIcon name="lock" />} class="account-lock" onClick={lock}>
        {words.lock}
      </Button>
    </AccountHead>
  );
}

/** Shows the accounts, and the balance and statement of one of them. */
export function AccountsPage() {
  const words = accountMessages();
  const { accounts } = useAccount();
  const { navigate } = useRouter();
  const [isOpening, setIsOpening] = useState(false);
  const onOpen = (): void => setIsOpening(true);
  const all = accounts.all.value;
  const chosen = accounts.chosen.value;
  return (
    <div class="page">
      <AccountsHead />
      <main class="page-main account-main">
        {!chosen && (
          <h1 class="visually-hidden" tabIndex={-1}>
            {words.yourAccounts}
          </h1>
        )}
        <TransferNotices />
        <Freshness />
        {all !== null && all.length > 1 && <AccountChips all={all} chosen={chosen} />}
        {chosen && <ChosenAccount account={chosen} onOpen={onOpen} />}
        {all?.length === 0 && <NoAccount onOpen={onOpen} />}
        {all === null && !accounts.failure.value && <p class="dim account-quiet">{words.reading}</p>}
        <OpenAccountDialog isOpen={isOpening} onClose={() => setIsOpening(false)} />
      </main>
      {chosen && (
        <footer class="dock">
          <Button
            kind="primary"
            size="large"
            icon={<LateIcon name="arrowOut" />}
            onClick={() => navigate({ page: 'account', part: 'transfer' })}
          >
            {words.transfer}
          </Button>
        </footer>
      )}
    </div>
  );
}
