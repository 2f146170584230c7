import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import { SignInForm } from '@comanda/ui/sign-in-form.tsx';
import { messages } from '../messages.ts';
import { BackLink } from '../parts/back-link.tsx';
import { unlock } from '../account/lock.ts';
import { accountMessages } from '../account/messages.ts';
import { SignedInPages } from '../account/signed-in-pages.tsx';
import { partsOf } from '../account/transfer-notices.tsx';
import { settledAtSignOut } from '../account/transfer.ts';
import { Notice } from '../parts/notice.tsx';
import { client } from '../state/client.ts';
import type { Route } from '../state/route.ts';
import { who } from '../state/seat.ts';
import './account-page.css';

function RegisterForm({ onSignedIn }: { onSignedIn: () => void }) {
  const words = messages();
  const ui = uiMessages();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  async function register(): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await client.calls.register({ name, email, password });
      await client.signIn({ email, password });
      onSignedIn();
    } catch (error) {
      setFailure(error);
      setIsBusy(false);
    }
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isBusy) void register();
  };
  return (
    <form class="form" aria-label={words.registerTitle} onSubmit={submit}>
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <Field label={words.name} autocomplete="name" required maxLength={100} value={name} onInput={setName} />
      <Field label={ui.email} type="email" autocomplete="username" required value={email} onInput={setEmail} />
      <Field
        label={ui.password}
        type="password"
        autocomplete="new-password"
        required
        hint={ui.newPasswordHint}
        value={password}
        onInput={setPassword}
      />
      <Button type="submit" kind="primary" size="large" aria-disabled={isBusy}>
        {words.register}
      </Button>
    </form>
  );
}

/** What became of transfers that had no answer when this user signed out. */
function SettledNotices() {
  const words = accountMessages();
  if (settledAtSignOut.value.length === 0) return null;
  return (
    <>
      {settledAtSignOut.value.map((each) => (
        <Notice
          key={each.key}
          kind={each.outcome === 'done' ? 'good' : 'warning'}
          icon={each.outcome === 'done' ? 'check' : 'warning'}
          title={words.settledTitle}
        >
          <p>{words.settled[each.outcome](...partsOf(each))}</p>
          <Button size="small" onClick={() => (settledAtSignOut.value = [])}>
            {words.understood}
          </Button>
        </Notice>
      ))}
    </>
  );
}

type SignedOutProps = {
  /** Signed in, and still in the form: somebody else may have set the password. */ onEntering: (
    isEntering: boolean,
  ) => void;
};
function SignedOut({ onEntering }: SignedOutProps) {
  const words = messages();
  const [isNew, setIsNew] = useState(false);
  const onSignedIn = (): void => {
    settledAtSignOut.value = [];
    unlock();
    onEntering(false);
  };
  return (
    <div class="page" onSubmit={() => onEntering(true)}>
      <header class="page-head">
        <BackLink />
      </header>
      <main class="page-main account">
        <div class="page-title">
          <h1 tabIndex={-1}>{isNew ? words.registerTitle : words.accountTitle}</h1>
        </div>
        <SettledNotices />
        <p class="account-text">{words.accountText}</p>
        {isNew ? <RegisterForm onSignedIn={onSignedIn} /> : <SignInForm client={client} onSignedIn={onSignedIn} />}
        <Button kind="quiet" onClick={() => setIsNew(!isNew)}>
          {isNew ? words.haveAccount : words.newHere}
        </Button>
      </main>
    </div>
  );
}

/** Sign-in and registration; accounts for whoever is signed in. Loaded when it is opened. */
export function AccountPage({ to }: { to: Extract<Route, { page: 'account' }> }) {
  const [isEntering, setIsEntering] = useState(false);
  const user = who.value;
  if (user === null || user.table !== undefined || isEntering) return <SignedOut onEntering={setIsEntering} />;
  return <SignedInPages key={user.userId} user={user} to={to} />;
}
