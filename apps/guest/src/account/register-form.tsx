import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { PasswordField } from '@comanda/ui/password-field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { passwordMessages } from '@comanda/ui/password-messages.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useGuest } from '../contexts.ts';
import { StopNotice } from '../stop-notice.tsx';
import { accountMessages } from './messages.ts';

/** Creates an account and signs in with it. */
export function RegisterForm({ onSignedIn }: { onSignedIn: () => void }) {
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
