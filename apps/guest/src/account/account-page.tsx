import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { SignInForm } from '@comanda/ui/sign-in-form.tsx';
import { useGuest } from '../contexts.ts';
import { BackLink } from '../back-link.tsx';
import { noteActivity } from './lock.ts';
import { accountMessages } from './messages.ts';
import { RegisterForm } from './register-form.tsx';
import { SignedInPages } from './signed-in-pages.tsx';
import { partsOf } from './transfer-notices.tsx';
import { Notice } from '../notice.tsx';
import type { Route } from '../router.ts';
import './account-page.css';

/** Shows the outcome of transfers that had no response when this user signed out. */
function SettledNotices() {
  const words = accountMessages();
  const { settledTransfers, setSettled } = useGuest();
  return (
    <>
      {settledTransfers.value.map((each) => (
        <Notice
          key={each.key}
          kind={each.outcome === 'done' ? 'good' : 'warning'}
          icon={each.outcome === 'done' ? 'check' : 'warning'}
          title={words.settledTitle}
        >
          <p>{words.settled[each.outcome](...partsOf(each))}</p>
          <Button size="small" onClick={() => setSettled([])}>
            {words.understood}
          </Button>
        </Notice>
      ))}
    </>
  );
}

type SignedOutProps = {
  /** Called with true while a signed-in user must still change a password that a manager has set. */ onEntering: (
    isEntering: boolean,
  ) => void;
};
function SignedOut({ onEntering }: SignedOutProps) {
  const words = accountMessages();
  const { client, setSettled } = useGuest();
  const [isNew, setIsNew] = useState(false);
  const onSignedIn = (): void => {
    setSettled([]);
    const userId = client.who()?.userId;
    if (userId !== undefined) noteActivity(userId);
    onEntering(false);
  };
  return (
    <div class="page" onSubmit={() => onEntering(true)}>
      <header class="page-head">
        <BackLink />
      </header>
      <main class="stack gap-4 page-main account">
        <div class="page-title">
          <h1 tabIndex={-1}>{isNew ? words.registerTitle : words.accountTitle}</h1>
        </div>
        <SettledNotices />
        <p class="dim">{words.accountText}</p>
        {isNew ? <RegisterForm onSignedIn={onSignedIn} /> : <SignInForm client={client} onSignedIn={onSignedIn} />}
        <Button kind="quiet" onClick={() => setIsNew(!isNew)}>
          {isNew ? words.haveAccount : words.newHere}
        </Button>
      </main>
    </div>
  );
}

/** The sign-in and registration pages, and the accounts of a signed-in user. Loaded when the page is first opened. */
export function AccountPage({ to }: { to: Extract<Route, { page: 'account' }> }) {
  const [isEntering, setIsEntering] = useState(false);
  const user = useGuest().seat.who.value;
  if (user === null || user.isGuest || isEntering) return <SignedOut onEntering={setIsEntering} />;
  return <SignedInPages key={user.userId} user={user} to={to} />;
}
