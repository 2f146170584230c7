import type { Client } from '@comanda/client/core';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { failureWords } from './failure-words.ts';
import { Field } from './field.tsx';
import { PasswordField } from './password-field.tsx';
import { Form } from './form.tsx';
import { passwordMessages } from './password-messages.ts';
import { useAction } from './use-action.ts';

type SignInFormProps = {
  client: Client;
  /** Called when the user has signed in, and has replaced the password if another user had set it. */
  onSignedIn: () => void;
};

/** Asks for the e-mail address and password. If another user has set the password, then asks for a new one. */
export function SignInForm({ client, onSignedIn }: SignInFormProps) {
  const words = passwordMessages();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [mustChange, setMustChange] = useState(false);
  const { failure, isBusy, run } = useAction();

  async function signIn(): Promise<void> {
    await client.signIn({ email, password });
    if ((await client.calls.me()).must_change_password) setMustChange(true);
    else onSignedIn();
  }

  if (mustChange) return <PasswordChangeForm client={client} email={email} current={password} onChanged={onSignedIn} />;
  return (
    <Form label={words.signIn} onSubmit={() => void run(signIn)}>
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <Field label={words.email} type="email" autocomplete="username" required value={email} onInput={setEmail} />
      <PasswordField label={words.password} which="current" value={password} onInput={setPassword} />
      <Button type="submit" kind="primary" size="large" aria-disabled={isBusy}>
        {isBusy ? words.signingIn : words.signIn}
      </Button>
    </Form>
  );
}

type PasswordChangeFormProps = {
  client: Client;
  email: string;
  /** The password with which the user has just signed in. */
  current: string;
  onChanged: () => void;
};

/** Asks for a new password if another user has set the current one, and then signs in with the new password. */
function PasswordChangeForm({ client, email, current, onChanged }: PasswordChangeFormProps) {
  const words = passwordMessages();
  const [password, setPassword] = useState('');
  const { failure, isBusy, run } = useAction();

  async function change(): Promise<void> {
    await client.calls.changePassword({ current, password });
    // The current token allows only a password change. After a new sign-in, the user has a token without this limit.
    await client.signOut().catch(() => {});
    await client.signIn({ email, password });
    onChanged();
  }
  return (
    <Form label={words.changePasswordTitle} onSubmit={() => void run(change)}>
      <h2 class="form-title">{words.changePasswordTitle}</h2>
      <p>{words.changePasswordWhy}</p>
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <PasswordField
        label={words.newPassword}
        which="new"
        hint={words.newPasswordHint}
        value={password}
        onInput={setPassword}
      />
      <Button type="submit" kind="primary" size="large" aria-disabled={isBusy}>
        {words.changePassword}
      </Button>
    </Form>
  );
}
