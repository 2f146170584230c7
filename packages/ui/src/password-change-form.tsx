import type { Client } from '@comanda/client';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { failureWords } from './failure-words.ts';
import { PasswordField } from './password-field.tsx';
import { Form } from './form.tsx';
import { uiMessages } from './messages.ts';
import { useAction } from './use-action.ts';

type PasswordChangeFormProps = {
  client: Client;
  email: string;
  /** The password that the user has just used to sign in. */
  current: string;
  onChanged: () => void;
};

/** Changes a password that another user has set, and signs in with the new one. */
export function PasswordChangeForm({ client, email, current, onChanged }: PasswordChangeFormProps) {
  const words = uiMessages();
  const [password, setPassword] = useState('');
  const { failure, isBusy, run } = useAction();

  async function change(): Promise<void> {
    await client.calls.changePassword({ current, password });
    // The current token requires a password change. The user must sign in again to get one that doesn't.
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
