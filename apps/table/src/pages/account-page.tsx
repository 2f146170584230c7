import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import { SignInForm } from '@comanda/ui/sign-in-form.tsx';
import { messages } from '../messages.ts';
import { BackLink } from '../parts/back-link.tsx';
import { client } from '../state/client.ts';
import { backToMenu } from '../state/route.ts';
import { table, who } from '../state/seat.ts';
import './account-page.css';

function RegisterForm() {
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
      backToMenu();
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

function SignedIn({ name }: { name: string }) {
  const words = messages();
  return (
    <div class="account-signed-in">
      <p>{words.signedInAs}</p>
      <p class="account-name">{name}</p>
      {table.value !== null && <p>{words.keepsTable(table.value)}</p>}
      <Button icon={<Icon name="signOut" />} onClick={() => void client.signOut().catch(() => [])}>
        {words.signOut}
      </Button>
    </div>
  );
}

/** Sign-in, registration, and who is signed in. Loaded when it is opened. */
export function AccountPage() {
  const words = messages();
  const [isNew, setIsNew] = useState(false);
  const current = who.value;
  const isSignedIn = current !== null && current.table === undefined;
  return (
    <div class="page">
      <header class="page-head">
        <BackLink />
      </header>
      <main class="page-main account">
        <div class="page-title">
          <h1 tabIndex={-1}>{!isSignedIn && isNew ? words.registerTitle : words.accountTitle}</h1>
        </div>
        {isSignedIn ? (
          <SignedIn name={current.name} />
        ) : (
          <>
            <p class="account-text">{words.accountText}</p>
            {isNew ? <RegisterForm /> : <SignInForm client={client} onSignedIn={backToMenu} />}
            <Button kind="quiet" onClick={() => setIsNew(!isNew)}>
              {isNew ? words.haveAccount : words.newHere}
            </Button>
          </>
        )}
      </main>
    </div>
  );
}
