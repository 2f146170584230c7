import type { Client } from '@comanda/client/core';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { failureWords } from './failure-words.ts';
import { PasswordField } from './password-field.tsx';
import { Form } from './form.tsx';
import { passwordMessages } from './password-messages.ts';
import { useAction } from './use-action.ts';

type PasswordChangeFormProps = {
  client: Client;
  email: string;
  /** The password with which the user has just signed in. */
  current: string;
  onChanged: () => void;
};

/** Asks for a new password if another user has set the current one, and then signs in with the new password. */
export function PasswordChangeForm({ client, email, current, onChanged }: PasswordChangeFormProps) {
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
