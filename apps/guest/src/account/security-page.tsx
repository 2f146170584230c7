import { useState } from 'preact/hooks';
import { AskDialog } from '@comanda/ui/ask.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { SessionList } from '@comanda/ui/session-list.tsx';
import { useRouter } from '../contexts.ts';
import { messages } from '../messages.ts';
import { useAccount } from './account-context.ts';
import { AccountHead } from './account-head.tsx';
import { accountFailureWords } from './failures.ts';
import { accountMessages } from './messages.ts';
import { PasswordChange } from './password-change.tsx';
import type { PinTask } from './pin.ts';
import { SecurityEvents } from './security-events.tsx';
import './security-page.css';
import { formatDate, formatTime } from '@comanda/ui/format.ts';

function Pin() {
  const words = accountMessages();
  const { pin } = useAccount();
  const { navigate } = useRouter();
  const status = pin.state.value?.status;
  const open = (task: PinTask): void => {
    pin.choose(task);
    navigate({ page: 'account', part: 'pin' });
  };
  return (
    <section class="security-part">
      <h2 class="account-h2">{words.pinTitle}</h2>
      <PinState />
      <div class="account-links">
        {status === 'absent' && (
          <Button kind="primary" onClick={() => open('create')}>
            {accountMessages().choosePin}
          </Button>
        )}
        {status === 'usable' && <Button onClick={() => open('change')}>{words.changePin}</Button>}
        {status !== undefined && status !== 'absent' && <Button onClick={() => open('reset')}>{words.resetPin}</Button>}
      </div>
    </section>
  );
}

type SessionsProps = {
  onSignOut: () => Promise<void>;
  /** @throws CallFailure if the sessions were not ended */ onSignOutEverywhere: () => Promise<void>;
};
function Sessions({ onSignOut, onSignOutEverywhere }: SessionsProps) {
  const words = accountMessages();
  const { client, user } = useAccount();
  const [isAsking, setIsAsking] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <section class="security-part">
      <h2 class="account-h2">{words.sessions}</h2>
      <p>{words.signedInAs(user.name)}</p>
      <SessionList client={client} />
      <div class="account-links">
        <Button
          icon={<LateIcon name="signOut" />}
          aria-disabled={isLeaving}
          onClick={() => {
            setIsLeaving(true);
            void onSignOut();
          }}
        >
          {isLeaving ? words.signingOut : words.signOut}
        </Button>
        <Button kind="danger" onClick={() => setIsAsking(true)}>
          {words.signOutEverywhere}
        </Button>
      </div>
      <AskDialog
        isOpen={isAsking}
        question={words.everywhereTitle}
        yes={words.everywhereYes}
        no={words.everywhereNo}
        wordsOf={accountFailureWords}
        onYes={onSignOutEverywhere}
        onClose={() => setIsAsking(false)}
      >
        <p>{words.everywhereText}</p>
      </AskDialog>
    </section>
  );
}

/** The page for the PIN, the password and the sessions, with a list of recent security events. */
export function SecurityPage(props: SessionsProps) {
  const { goBack } = useRouter();
  return (
    <div class="page">
      <AccountHead back={messages().account} onBack={() => goBack({ page: 'account' })} />
      <main class="page-main account-main">
        <div class="page-title">
          <h1 tabIndex={-1}>{accountMessages().security}</h1>
        </div>
        <Pin />
        <PasswordChange />
        <Sessions {...props} />
        <SecurityEvents />
      </main>
    </div>
  );
}

/** Says whether the user has a PIN, and whether it is blocked. */
function PinState() {
  const words = accountMessages();
  const state = useAccount().pin.state.value;
  if (!state) return <p class="dim account-quiet">{words.reading}</p>;
  const { status, created_at: at, attempts_remaining: left } = state;
  return (
    <>
      <p>
        <strong>
          {status === 'blocked' && state.blocked_until !== undefined
            ? words.blockedUntil(formatTime(state.blocked_until))
            : words.pinStates[status]}
        </strong>
        {at !== undefined && (
          <>
            <br />
            <span class="dim account-quiet">{words.pinSetAt(formatDate(at), formatTime(at))}</span>
          </>
        )}
      </p>
      {status === 'usable' && left !== undefined && left < 3 && (
        <p class="edge on-amber-soft account-warning">{words.triesLeft(left)}</p>
      )}
    </>
  );
}
