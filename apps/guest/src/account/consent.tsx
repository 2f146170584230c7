import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { pinLength, PinPad, pinPadMessages } from '@comanda/ui/pin-pad.tsx';
import { useAccount } from './account-context.ts';
import { AccountHead } from './account-head.tsx';
import './consent.css';
import { accountMessages } from './messages.ts';
import { PadError } from './pad-error.tsx';
import { partsOf } from './transfer-notices.tsx';
import type { Intent } from './transfer-state.ts';
import { agree, refuseConsent } from './transfers.ts';

/** How much goes to whom. */
export function Terms({ intent, isSmall }: { intent: Intent; isSmall?: boolean }) {
  const words = accountMessages();
  const [amount, to] = partsOf(intent);
  const owner = useAccount().accounts.knownOwner(to);
  return (
    <div class={isSmall ? 'terms terms-small' : 'terms'}>
      <p class="terms-quiet">{words.youSend}</p>
      <p class="terms-amount money" translate={false}>
        {amount}
      </p>
      <p class="terms-payee">
        {owner === null ? words.to : <strong class="terms-owner">{`${words.to} ${owner}`}</strong>}{' '}
        <span>{owner === null ? words.accountLower(to) : words.accountOf(to)}</span>
      </p>
      <p class="terms-quiet">{intent.input.description ?? words.fromLower(intent.input.from_account_id)}</p>
    </div>
  );
}

function ConsentError() {
  const words = accountMessages();
  const request = useAccount().transfers.consentRequest.value?.request;
  const { code } = request?.challenge ?? { code: 'step_up_required' };
  const why = words.consentRefused;
  if (request?.refused?.is('transaction_password_invalid'))
    return (
      <PadError title={pinPadMessages().wrong(request.refused.problem.attempts_remaining)} text={words.nothingSent} />
    );
  if (code === 'step_up_required') return null;
  return <PadError title={code in why ? why[code as keyof typeof why] : why.other} text={words.enterAgain} />;
}

/** Amount and payee above the PIN pad, so that one sees what the PIN is for. */
export function ConsentPage({ intent }: { intent: Intent }) {
  const words = accountMessages();
  const { transfers } = useAccount();
  const [digits, setDigits] = useState('');
  const isFull = digits.length === pinLength;
  const isBusy = transfers.stage.value === 'sending';
  const confirm = (): void => {
    if (!isFull || isBusy) return;
    agree(transfers, digits);
    setDigits('');
  };
  return (
    <div class="page consent">
      <AccountHead back={words.changeTransfer} onBack={() => refuseConsent(transfers)} />
      <main class="page-main">
        <h1 class="spoken" tabIndex={-1}>
          {words.confirmTitle}
        </h1>
        <Terms intent={intent} />
        {isBusy ? (
          <p class="consent-busy" role="status">
            {words.sending}
          </p>
        ) : (
          <ConsentError />
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
