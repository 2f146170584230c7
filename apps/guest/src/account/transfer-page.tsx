import { useEffect } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { useRouter } from '../contexts.ts';
import { messages } from '../messages.ts';
import { useAccount } from './account-context.ts';
import { AccountHead } from './account-head.tsx';
import { BlockedPage } from './blocked.tsx';
import { ConsentPage, Terms } from './consent.tsx';
import { accountMessages } from './messages.ts';
import { TransferForm } from './transfer-form.tsx';
import { useHeadingFocus } from './use-heading-focus.ts';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { NoAnswer } from '../no-answer.tsx';
import type { Intent } from './transfers.ts';
import './unanswered-page.css';

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

type UnansweredPageProps = { intent: Intent; count: number; askedAtMs: number };

/** Shows a transfer that got no response, so it isn't known whether the money was sent. */
function UnansweredPage({ intent, count, askedAtMs }: UnansweredPageProps) {
  const words = accountMessages();
  const { askNow } = useAccount().transfers;
  const { goBack } = useRouter();
  return (
    <NoAnswer
      class="asking"
      icon="clock"
      title={words.noAnswerTitle}
      text={words.noAnswerText}
      tried={{ icon: 'noNetwork', text: words.askedAt(count, formatTimeWithSeconds(askedAtMs)) }}
      buttons={
        <>
          <Button kind="primary" size="large" onClick={askNow}>
            {words.askNow}
          </Button>
          <Button onClick={() => goBack({ page: 'account' })}>{words.toAccounts}</Button>
        </>
      }
    >
      <div class="stack gap-4 asking-body">
        <p class="dim account-quiet">{words.noAnswerHint}</p>
        <Terms intent={intent} isSmall />
      </div>
    </NoAnswer>
  );
}
