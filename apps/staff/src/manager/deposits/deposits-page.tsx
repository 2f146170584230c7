import type { Client } from '@comanda/client/core';
import { useEffect, useRef, useState } from 'preact/hooks';
import { stopMessages } from '@comanda/ui/stop-messages.ts';
import { type Account, type PendingDeposit, type Posted, deposit } from './deposit.ts';
import { DepositForm } from './deposit-form.tsx';
import { FindAccount } from './find-account.tsx';
import { GoingOn } from '../day/going-on.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { Button } from '@comanda/ui/button.tsx';
import { formatDateWithYear, formatMoney, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import type { ManagerConsent } from '../consent/consent.ts';
import { Failure } from '../failure.tsx';
import { copyText } from '@comanda/ui/copy-text.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { Money } from '@comanda/ui/money.tsx';
import './deposit-receipt.css';

/** The page for depositing cash: it asks for the account, the amount and the PIN, and shows the receipt. */
export function DepositsPage({ client, session: { consent, stops } }: { client: Client; session: ManagerSession }) {
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
        <h1>{managerMessages().nav.deposits}</h1>
        <p>{words.hint}</p>
      </div>
      {stops.state.value.transfers && (
        <GoingOn isStopped title={stopMessages().transfers.stopped}>
          <p>{managerMessages().stops.toResume}</p>
        </GoingOn>
      )}
      {posted ? (
        <DepositReceipt {...posted} onDone={() => setPosted(null)} />
      ) : first ? (
        <UnansweredDeposit
          key={first.key}
          client={client}
          consent={consent}
          pending={first}
          onPosted={onPosted}
          onRead={onUndecided}
        />
      ) : account ? (
        <DepositForm
          key={account.id}
          client={client}
          consent={consent}
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

const pendingDeposits = (client: Client): readonly PendingDeposit[] =>
  client.pendingCalls().filter((each): each is PendingDeposit => each.call === 'deposit');

type UnansweredProps = {
  client: Client;
  consent: ManagerConsent;
  pending: PendingDeposit;
  onPosted: (posted: Posted) => void;
  /** Called once the server has responded, or the repeated call has failed too. */
  onRead: () => void;
};

/**
 * Shows a deposit that got no response, so it may or may not have been made. The button repeats the call with the same
 * idempotency key.
 */
function UnansweredDeposit({ client, consent, pending, onPosted, onRead }: UnansweredProps) {
  const words = managerMessages().deposits;
  const { input } = pending;
  const { failure, run, isBusy } = useAction();
  const [account, setAccount] = useState<Account | null>(null);
  const ask = (): void =>
    void run(async () => {
      const found = account ?? (await client.calls.getAccount({ id: input.id }));
      setAccount(found);
      try {
        onPosted(await deposit(consent, found, pending));
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
      <Failure of={failure} />
      <Button kind="primary" size="small" aria-disabled={isBusy} onClick={ask}>
        {isBusy ? managerMessages().reading : words.askAgain}
      </Button>
    </section>
  );
}

/** Shows that the money is in the account, with the signed receipt. */
function DepositReceipt({ account, transfer, onDone }: Posted & { onDone: () => void }) {
  const words = managerMessages().deposits;
  const [isCopied, setIsCopied] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const signedText = useRef<HTMLElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { id, amount, currency, created_at: at, receipt } = transfer;
  const copy = async (): Promise<void> => setIsCopied(await copyText(receipt, signedText.current));
  return (
    <section class="manager-form deposit-receipt" aria-label={words.posted}>
      <span class="centre deposit-check">
        <Icon name="check" size={40} />
      </span>
      <h2 ref={heading} tabIndex={-1}>
        {words.posted}
      </h2>
      <Money as="p" class="manager-amount">
        {formatMoney(amount, currency)}
      </Money>
      <p>
        {words.into} <strong>{words.accountOf(account.id)}</strong>, {account.owner_name}
      </p>
      <p class="dim">
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
