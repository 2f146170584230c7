import type { Client } from '@comanda/client';
import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { failureWords } from './failure-words.ts';
import { Field } from './field.tsx';
import './form.css';
import { uiMessages } from './messages.ts';
import { PasswordChangeForm } from './password-change-form.tsx';

type SignInFormProps = {
  client: Client;
  /** Called when the user is signed in and may use everything: after the change of a password that somebody else set. */
  onSignedIn: () => void;
};

/** E-mail and password; then, if somebody else set the password, the form that changes it. */
export function SignInForm({ client, onSignedIn }: SignInFormProps) {
  const words = uiMessages();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [step, setStep] = useState<'sign_in' | 'signing_in' | 'change_password'>('sign_in');

  async function signIn(): Promise<void> {
    setStep('signing_in');
    setError(null);
    try {
      await client.signIn({ email, password });
      const { must_change_password: mustChange } = await client.calls.me();
      if (!mustChange) return onSignedIn();
      setStep('change_password');
    } catch (failure) {
      setError(failure);
      setStep('sign_in');
    }
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (step === 'sign_in') void signIn();
  };

  if (step === 'change_password')
    return <PasswordChangeForm client={client} email={email} current={password} onChanged={onSignedIn} />;
  return (
    <form class="form" aria-label={words.signIn} onSubmit={submit}>
      {error !== null && <ErrorPanel words={failureWords(error)} />}
      <Field label={words.email} type="email" autocomplete="username" required value={email} onInput={setEmail} />
      <Field
        label={words.password}
        type="password"
        autocomplete="current-password"
        required
        value={password}
        onInput={setPassword}
      />
      <Button type="submit" kind="primary" size="large" aria-disabled={step === 'signing_in'}>
        {step === 'signing_in' ? words.signingIn : words.signIn}
      </Button>
    </form>
  );
}
