import { useEffect } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { useRouter } from '../contexts.ts';
import { messages } from '../messages.ts';
import { useAccount } from './account-context.ts';
import { AccountHead } from './account-head.tsx';
import { BlockedPage } from './blocked.tsx';
import { ConsentPage } from './consent.tsx';
import { accountMessages } from './messages.ts';
import { TransferForm } from './transfer-form.tsx';
import { UnansweredPage } from './unanswered-page.tsx';
import { useHeadingFocus } from './use-heading-focus.ts';

function NeedPin() {
  const words = accountMessages();
  const { pin } = useAccount();
  const { goBack, navigate } = useRouter();
  return (
    <div class="page">
      <AccountHead back={messages().account} onBack={() => goBack({ page: 'account' })} />
      <main class="page-main account-main">
        <span class="account-symbol">
          <Icon name="shield" size={32} />
        </span>
        <h1 class="account-h1" tabIndex={-1}>
          {words.needPinTitle}
        </h1>
        <p>{words.needPinText}</p>
      </main>
      <footer class="dock">
        <Button
          kind="primary"
          size="large"
          onClick={() => {
            pin.choose('create');
            navigate({ page: 'account', part: 'pin' });
          }}
        >
          {words.choosePin}
        </Button>
      </footer>
    </div>
  );
}

/** Shows a transfer, from the form to the server's response. */
export function TransferPage() {
  const words = accountMessages();
  const { accounts, pin, transfers } = useAccount();
  const { backToMenu, goBack } = useRouter();
  const toAccounts = (): void => goBack({ page: 'account' });
  const from = accounts.chosen.value;
  const intent = transfers.intent.value;
  const state = pin.state.value;
  const at = transfers.stage.value;
  const needsPin = at.kind === 'pin' || at.kind === 'sending';
  useHeadingFocus(at.kind === 'asking' ? at.kind : needsPin ? 'pin' : (state?.status ?? 'usable'));
  useEffect(() => transfers.leave, [transfers]);
  if (intent && at.kind === 'asking') return <UnansweredPage intent={intent} {...at} />;
  if (intent && needsPin) return <ConsentPage intent={intent} hint={at.kind === 'pin' ? at.hint : null} />;
  if (state?.status === 'absent') return <NeedPin />;
  if (state?.status === 'blocked')
    return <BlockedPage until={state.blocked_until ?? null} back={messages().account} onBack={toAccounts} />;
  return (
    <div class="page">
      <AccountHead back={messages().account} onBack={from ? toAccounts : backToMenu} />
      {from ? (
        <TransferForm from={from} />
      ) : (
        <main class="page-main">
          <h1 class="visually-hidden" tabIndex={-1}>
            {words.transferTitle}
          </h1>
          <p class="dim account-quiet">{words.reading}</p>
        </main>
      )}
    </div>
  );
}
