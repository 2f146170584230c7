import { CallFailure, type Client } from '@comanda/client/core';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords, type FailureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { PasswordField } from '@comanda/ui/password-field.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { setupMessages } from './messages.ts';

type FirstManagerProps = {
  client: Client;
  onSignedIn: () => void;
  /** Shows the sign-in. */ onBack: () => void;
};

const isComplete = (failure: unknown): boolean => failure instanceof CallFailure && failure.is('setup_complete');

/** Creates the first manager of a new restaurant with the setup code, and signs in. */
export function FirstManager({ client, onSignedIn, onBack }: FirstManagerProps) {
  const words = setupMessages();
  const { failure, isBusy, run } = useAction();
  const [code, setCode] = useState('');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');

  async function open(): Promise<void> {
    const credentials = { email: email.trim(), password };
    try {
      await client.signInAsFirstManager({ code: code.trim(), name: name.trim(), ...credentials });
    } catch (error) {
      if (!isComplete(error)) throw error;
      // An earlier try may have created this manager, if only its response was lost.
      await client.signIn(credentials).catch(() => Promise.reject(error as CallFailure));
    }
    onSignedIn();
  }

  return (
    <>
      <Form label={words.title} onSubmit={() => void run(open)}>
        <h2 class="form-title">{words.title}</h2>
        <p>{words.why}</p>
        {failure !== null && (
          <ErrorPanel words={wordsOf(failure)}>
            {isComplete(failure) && (
              <Button size="small" onClick={onBack}>
                {words.toSignIn}
              </Button>
            )}
          </ErrorPanel>
        )}
        <Field
          label={words.code}
          hint={words.codeHint}
          required
          autocomplete="off"
          placeholder="XXXX-XXXX-XXXX-XXXX-XXXX-XXXX-XXXX"
          value={code}
          onInput={setCode}
        />
        <Field label={words.name} required autocomplete="name" value={name} onInput={setName} />
        <Field
          label={words.email}
          hint={words.emailHint}
          type="email"
          required
          autocomplete="username"
          value={email}
          onInput={setEmail}
        />
        <PasswordField
          label={words.password}
          which="new"
          hint={words.passwordHint}
          value={password}
          onInput={setPassword}
        />
        <Button type="submit" kind="primary" size="large" aria-disabled={isBusy}>
          {isBusy ? words.opening : words.open}
        </Button>
      </Form>
      <Button kind="quiet" onClick={onBack}>
        {words.hasManager}
      </Button>
    </>
  );
}

function wordsOf(failure: unknown): FailureWords {
  const words = setupMessages();
  if (!(failure instanceof CallFailure)) return failureWords(failure);
  const requestId = failure.problem?.request_id;
  const withId = requestId !== undefined && { requestId };
  if (isComplete(failure)) return { happened: words.complete, toDo: words.completeToDo, ...withId };
  if (failure.is('setup_code_invalid')) return { happened: words.invalidCode, toDo: words.invalidCodeToDo, ...withId };
  return failureWords(failure);
}
