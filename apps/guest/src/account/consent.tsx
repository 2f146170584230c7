import { useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import type { PinHint } from '@comanda/ui/pin-call.ts';
import { pinPadMessages } from '@comanda/ui/pin-pad-messages.ts';
import { pinLength, PinPad } from '@comanda/ui/pin-pad.tsx';
import { Money } from '@comanda/ui/money.tsx';
import { useAccount } from './account-context.ts';
import { AccountHead } from './account-head.tsx';
import './consent.css';
import { accountMessages } from './messages.ts';
import { PadError } from './pad-error.tsx';
import { partsOf } from './transfer-notices.tsx';
import type { Intent } from './transfers.ts';

/** Shows the amount and the payee of a transfer. */
export function Terms({ intent, isSmall }: { intent: Intent; isSmall?: boolean }) {
  const words = accountMessages();
  const [amount, to] = partsOf(intent);
  const owner = useAccount().accounts.knownOwner(to);
  return (
    <div class={isSmall ? 'terms terms-small' : 'terms'}>
      <p class="terms-quiet">{words.youSend}</p>
      <Money as="p" class="terms-amount">
        {amount}
      </Money>
      <p class="terms-payee">
        {owner === null ? words.to : <strong class="terms-owner">{`${words.to} ${owner}`}</strong>}{' '}
        <span>{owner === null ? words.accountLower(to) : words.accountOf(to)}</span>
      </p>
      <p class="terms-quiet">{intent.input.description ?? words.fromLower(intent.input.from_account_id)}</p>
    </div>
  );
}

function HintText({ hint }: { hint: PinHint }) {
  const words = accountMessages();
  if (hint.kind === 'wrong') return <PadError title={pinPadMessages().wrong(hint.left)} text={words.nothingSent} />;
  const why = words.consentRefused;
  const title = hint.code in why ? why[hint.code as keyof typeof why] : why.other;
  return <PadError title={title} text={words.enterAgain} />;
}

/** Shows the amount and the payee above the PIN pad, so that users see what the PIN is for. */
export function ConsentPage({ intent, hint }: { intent: Intent; hint: PinHint | null }) {
  const words = accountMessages();
  const { accounts, transfers } = useAccount();
  const { to_account_id: to } = intent.input;
  const [digits, setDigits] = useState('');
  const isFull = digits.length === pinLength;
  const isBusy = transfers.stage.value.kind === 'sending';
  // The account exists, so its owner's name is loaded while the user enters the PIN.
  useEffect(() => void accounts.readPayee(to), [accounts, to]);
  const confirm = (): void => {
    if (!isFull || isBusy) return;
    transfers.enter(digits);
    setDigits('');
  };
  return (
    <div class="page consent">
      <AccountHead back={words.changeTransfer} onBack={transfers.leave} />
      <main class="page-main">
        <h1 class="visually-hidden" tabIndex={-1}>
          {words.confirmTitle}
        </h1>
        <Terms intent={intent} />
        {isBusy ? (
          <p class="consent-busy" role="status">
            {words.sending}
          </p>
        ) : (
          hint && <HintText hint={hint} />
        )}
        <PinPad digits={digits} onDigits={setDigits} onEnter={confirm} isBusy={isBusy} />
      </main>
      <footer class="dock">
        <Button kind="primary" size="large" aria-disabled={!isFull || isBusy} onClick={confirm}>
          {isBusy ? words.sending : words.confirm}
        </Button>
      </footer>
    </div>
  );
}
