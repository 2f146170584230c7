import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { SignInForm } from '@comanda/ui/sign-in-form.tsx';
import { useGuest } from '../contexts.ts';
import { BackLink } from '../back-link.tsx';
import { noteActivity } from './lock.ts';
import { accountMessages } from './messages.ts';
import { SignedInPages } from './signed-in-pages.tsx';
import { partsOf } from './transfer-notices.tsx';
import { Notice } from '../notice.tsx';
import type { Route } from '../router.ts';
import './account-page.css';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { PasswordField } from '@comanda/ui/password-field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { passwordMessages } from '@comanda/ui/password-messages.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { StopNotice } from '../stop-notice.tsx';

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

/** Creates an account and signs in with it. */
function RegisterForm({ onSignedIn }: { onSignedIn: () => void }) {
  const words = accountMessages();
  const ui = passwordMessages();
  const { client, stops } = useGuest();
  const isStopped = stops.state.value.sign_ups !== null;
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { failure, isBusy, run } = useAction();
  async function register(): Promise<void> {
    await client.calls.register({ name, email, password });
    await client.signIn({ email, password });
    onSignedIn();
  }
  return (
    <Form label={words.registerTitle} onSubmit={() => void run(register)}>
      <StopNotice of="sign_ups" />
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <Field label={words.name} autocomplete="name" required maxLength={100} value={name} onInput={setName} />
      <Field label={ui.email} type="email" autocomplete="username" required value={email} onInput={setEmail} />
      <PasswordField label={ui.password} which="new" hint={ui.newPasswordHint} value={password} onInput={setPassword} />
      <Button type="submit" kind="primary" size="large" disabled={isStopped} aria-disabled={isBusy}>
        {accountMessages().registerTitle}
      </Button>
    </Form>
  );
}
